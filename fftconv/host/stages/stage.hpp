// SPDX-License-Identifier: MIT
// fftconv/host/stages/stage.hpp — what the stages work with: line transforms, a thread's scratch
// memory, a loop over columns.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/fft/line_transform.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// The three line transforms of a plan, and our lane functions for everything else. Immutable once
/// made; shared by all threads.
template <class Real>
struct Transforms {
  /// @throws InvalidSpec  this build does not have the library.
  Transforms(const Layout& layout, FftLibrary library)
      : functions{available_lane_functions<Real>().front()},
        z{make_line_transform(library, layout.transform.z, *functions)},
        y{make_line_transform(library, layout.transform.y, *functions)},
        x{make_line_transform(library, layout.half, *functions)},
        half_shift{half_shift_twiddles<Real>(layout.half)} {}

  const LaneFunctions<Real>* functions;
  std::unique_ptr<LineTransform<Real>> z, y, x;
  std::vector<Real> half_shift;
};

/// What one thread works in. Taken before the first plane, never after.
template <class Real>
struct Scratch {
  HostBuffer<std::byte> native;    ///< voxels as a file has them, in or out
  HostBuffer<Real> computed;       ///< a slab of finished voxels
  HostBuffer<Real> rows;           ///< real rows, one per lane
  HostBuffer<Real> block, kernel;  ///< lane elements of the longest line
  HostBuffer<std::byte> fold;      ///< voxels of one plane that are folded into a part
};

/// As many threads as have room in the memory beyond `plan_bytes`, which counts the first one:
/// results do not depend on it.
int affordable_threads(const RunContext& context, std::int64_t plan_bytes,
                       std::int64_t bytes_of_a_thread);

/// One a thread, counted against `memory`; sizes as in scratch_sizes.
template <class Real>
std::vector<Scratch<Real>> make_scratch(const Layout& layout, const Problem& work, int threads,
                                        MemoryBudget& memory);

extern template std::vector<Scratch<float>> make_scratch(const Layout&, const Problem&, int,
                                                         MemoryBudget&);
extern template std::vector<Scratch<double>> make_scratch(const Layout&, const Problem&, int,
                                                          MemoryBudget&);

/// Calls `body(column, scratch)` for every column of lane elements, in parallel. A task is a
/// stretch of columns that a thread finishes within a fraction of a second.
template <class Real, class Body>
void for_each_column(const Layout& layout, std::int64_t element, std::span<Scratch<Real>> scratch,
                     const RunContext& context, Body&& body) {
  const std::int64_t columns = layout.column_reals / element;
  const std::int64_t grain =
      std::clamp<std::int64_t>((std::int64_t{1} << 16) / layout.transform.z, 1, columns);
  context.pool.for_ranges(columns, grain, [&](std::int64_t begin, std::int64_t end) {
    context.stop.check();
    const Scratch<Real>& s = scratch[static_cast<std::size_t>(TaskPool::slot())];
    for (std::int64_t column = begin; column < end; ++column) body(column, s);
    context.progress.advance(end - begin);
  });
}

}  // namespace synthoscope::fftconv
