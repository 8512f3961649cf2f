// SPDX-License-Identifier: MIT
// jobs/light/number_search.hpp — finds how many iterations bring light closest to the truth.
#pragma once
#include <array>
#include <memory>
#include <vector>
#include "core/stream/part_source.hpp"
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/iteration/iteration_number.hpp"
#include "jobs/light/iterations.hpp"
#include "jobs/light/kept_estimates.hpp"

namespace synthoscope::jobs {

/// Most voxels of the part of the field. The constants of the search were found on parts of 2^18.
inline constexpr std::int64_t kSearchedVoxels = std::int64_t{1} << 22;

/// Returns the bytes of all volumes that a search holds.
/// @param estimates  number of volumes of estimate_extent that iterations need
std::int64_t search_bytes(const SearchPlan& plan, std::int64_t estimates, bool has_momentum);

/// Finds the number of iterations by a parametric bootstrap: takes the light that some iterations
/// found as the truth, simulates an image of it with the noise of the camera, and deconvolves that
/// image. The error is then known after every iteration: the difference from the truth, both
/// blurred to the resolution of the PSF, a Gaussian with the widths of its half maximum. Repeats
/// this with other numbers until the tried number is the best one (next_step).
///
/// Errors of 40 simulated stacks, from which next_number's constants are: docs/benchmarks/
/// deconvolution.md.
/// @source Efron, Tibshirani, An Introduction to the Bootstrap (1993), chapter 6
class NumberSearch {
 public:
  /// All must outlive this.
  /// @param model  of the whole image; plan.search has the geometry of the part
  /// @param image  of the whole field, in electrons, float32
  /// @throws PlanError  beyond the budget.
  NumberSearch(const IterationPlan& plan, const deconvolution::Model& model, Source& image,
               const IterationResources& resources, const RunContext& context);

  /// Returns the best number of iterations, 1 to `most`, and how the search ended.
  /// @param first  to begin with
  /// @throws InvalidInput  the part has no light above the background.
  /// @throws as Executor::run
  deconvolution::SearchStep find(int first, int most);

  [[nodiscard]] const std::vector<deconvolution::SearchRound>& rounds() const { return rounds_; }

 private:
  void simulate_light_after(int iterations);
  int best_number(int most);
  std::unique_ptr<Iterations> recorded_light(int iterations, const RunContext& context);
  [[nodiscard]] double error_of(Source& estimate);

  IterationPlan plan_;  ///< for the part
  deconvolution::Model model_;
  IterationResources resources_;
  const RunContext& context_;
  std::array<double, 3> resolution_;
  PartSource recorded_;
  ScratchVolume truth_, simulated_;  ///< of the part of the field
  KeptEstimates kept_;               ///< of `recorded_`
  std::vector<deconvolution::SearchRound> rounds_;
};

}  // namespace synthoscope::jobs
