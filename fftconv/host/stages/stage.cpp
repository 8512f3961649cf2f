// SPDX-License-Identifier: MIT
#include "fftconv/host/stages/stage.hpp"
#include <algorithm>

namespace synthoscope::fftconv {

int affordable_threads(const RunContext& context, std::int64_t plan_bytes,
                       std::int64_t bytes_of_a_thread) {
  const std::int64_t left = context.memory.limit() - context.memory.used() - plan_bytes;
  const std::int64_t more = bytes_of_a_thread > 0 ? left / bytes_of_a_thread : left;
  return static_cast<int>(std::clamp<std::int64_t>(1 + more, 1, context.pool.threads()));
}

template <class Real>
std::vector<Scratch<Real>> make_scratch(const Layout& layout, const Problem& work, int threads,
                                        MemoryBudget& memory) {
  constexpr auto kReal = std::int64_t{sizeof(Real)};
  const ScratchSizes sizes = scratch_sizes(layout, work);
  std::vector<Scratch<Real>> scratch(static_cast<std::size_t>(threads));
  for (Scratch<Real>& s : scratch) {
    s.native = {memory, sizes.native, "voxels of a slab"};
    s.computed = {memory, sizes.computed / kReal, "finished voxels of a slab"};
    s.rows = {memory, sizes.rows / kReal, "rows"};
    s.block = {memory, sizes.line / kReal, "lines"};
    s.kernel = {memory, sizes.line / kReal, "lines of the kernel"};
    s.fold = {memory, sizes.fold, "voxels to fold"};
  }
  return scratch;
}

template std::vector<Scratch<float>> make_scratch(const Layout&, const Problem&, int,
                                                  MemoryBudget&);
template std::vector<Scratch<double>> make_scratch(const Layout&, const Problem&, int,
                                                   MemoryBudget&);

}  // namespace synthoscope::fftconv
