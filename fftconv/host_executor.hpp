// SPDX-License-Identifier: MIT
// fftconv/host_executor.hpp — runs plans on the processor, every vector lane a line.
#pragma once
#include <memory>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// `host_bytes` is the memory budget that its machine() record offers to the planner.
[[nodiscard]] std::unique_ptr<Executor> make_host_executor(std::int64_t host_bytes);

}  // namespace synthoscope::fftconv
