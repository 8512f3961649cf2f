// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/sums.hpp — sums over the kernel on a GPU: their cut, memory and seconds.
#pragma once
#include <string>
#include <vector>
#include "fftconv/plan/gpu/run_memory.hpp"

namespace synthoscope::fftconv::device {

/// Returns the reason why a GPU cannot compute the sums, as a sentence; empty if it can.
std::string why_no_gpu_sums(const Problem& problem, Strategy strategy);

/// Returns the cut for the memories of `machine`, or the smallest one if they are not enough; none
/// if a GPU cannot compute the sums.
std::vector<Candidate> gpu_sums_candidates(const Problem& problem, Strategy strategy,
                                           const Machine& machine);

/// Everything that a run of such a plan holds, on the host with one thread.
RunMemory gpu_sums_memory(const Problem& problem, Strategy strategy, const Extent3& brick);

/// Returns what a thread of the host holds: a plane of results as they are stored.
std::int64_t gpu_sums_thread_bytes(const Problem& problem, const Extent3& brick);

}  // namespace synthoscope::fftconv::device
