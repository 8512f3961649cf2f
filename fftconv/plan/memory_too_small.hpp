// SPDX-License-Identifier: MIT
// fftconv/plan/memory_too_small.hpp — the refusal of a plan that needs more than the budget of the
// host.
#pragma once
#include <cstdint>
#include <string>
#include "core/base/error.hpp"

namespace synthoscope::fftconv {

/// Whoever plans several things refuses them with the one that needs most.
struct MemoryTooSmall : PlanError {
  MemoryTooSmall(const std::string& what, std::int64_t least_budget)
      : PlanError{what}, least_budget_bytes{least_budget} {}
  std::int64_t least_budget_bytes;  ///< that would do, as `what` says
};

}  // namespace synthoscope::fftconv
