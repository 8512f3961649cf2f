// SPDX-License-Identifier: MIT
#include "fftconv/scratch.hpp"

namespace synthoscope::fftconv {

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
  }
  return scratch;
}

template std::vector<Scratch<float>> make_scratch(const Layout&, const Problem&, int,
                                                  MemoryBudget&);
template std::vector<Scratch<double>> make_scratch(const Layout&, const Problem&, int,
                                                   MemoryBudget&);

}  // namespace synthoscope::fftconv
