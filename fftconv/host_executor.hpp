// SPDX-License-Identifier: MIT
// fftconv/host_executor.hpp — runs plans on the processor, every vector lane a line.
#pragma once
#include <memory>
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv {

/// `machine` is what it offers to the planner: memory budget and rates.
[[nodiscard]] std::unique_ptr<Executor> make_host_executor(const Machine& machine);

}  // namespace synthoscope::fftconv
