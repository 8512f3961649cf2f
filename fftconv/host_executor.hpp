// SPDX-License-Identifier: MIT
// fftconv/host_executor.hpp — runs plans on the processor with FFTW's 2-D and 1-D transforms.
#pragma once
#include <memory>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// Keeps the sub-plans of earlier runs, so that the next run of the same sizes starts at once.
/// `host_bytes` is the memory budget that its machine() record offers to the planner.
[[nodiscard]] std::unique_ptr<Executor> make_host_executor(std::int64_t host_bytes);

}  // namespace synthoscope::fftconv
