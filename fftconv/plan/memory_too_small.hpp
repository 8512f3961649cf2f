// SPDX-License-Identifier: MIT
// fftconv/plan/memory_too_small.hpp — the refusal of a plan that needs more than the budget of the
// host.
#pragma once
#include <cstdint>
#include <string>
#include "core/base/error.hpp"

namespace synthoscope::fftconv {

/// Is thrown if a plan needs more memory than the budget of the host. A caller with several plans
/// rethrows the one with the largest least_budget_bytes.
struct MemoryTooSmall : PlanError {
  MemoryTooSmall(const std::string& what, std::int64_t least_budget)
      : PlanError{what}, least_budget_bytes{least_budget} {}
  std::int64_t least_budget_bytes;  ///< smallest budget that is enough, as in the message
};

}  // namespace synthoscope::fftconv
