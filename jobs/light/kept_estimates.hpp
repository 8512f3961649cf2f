// SPDX-License-Identifier: MIT
// jobs/light/kept_estimates.hpp — copies of estimates in memory, from which iterations continue.
#pragma once
#include <memory>
#include <vector>
#include "jobs/light/iterations.hpp"

namespace synthoscope::jobs {

/// Holds the volumes that one iteration left. Iterations that continue from them have the same bits
/// as those that begin anew.
class KeptEstimates {
 public:
  /// @param count  of volumes that Iterations::kept returns
  /// @throws PlanError  beyond the budget.
  KeptEstimates(const deconvolution::Geometry& geometry, int count, MemoryBudget& memory);

  /// Replaces the copies by those of `light`.
  void keep(Iterations& light, const RunContext& context);

  /// Lets `light` continue from the copies.
  void restore(Iterations& light, const RunContext& context);

  /// Returns after which iteration the copies were taken; 0: there are none.
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  std::vector<std::unique_ptr<ScratchVolume>> volumes_;
  int iterations_ = 0;
};

}  // namespace synthoscope::jobs
