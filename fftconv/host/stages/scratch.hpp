// SPDX-License-Identifier: MIT
// fftconv/host/stages/scratch.hpp — what one thread works in. Taken before the first plane, never
// after.
#pragma once
#include <cstddef>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

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

}  // namespace synthoscope::fftconv
