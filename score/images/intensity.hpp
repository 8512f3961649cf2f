// SPDX-License-Identifier: MIT
// score/images/intensity.hpp — how far the values of an image lie from those of its truth.
#pragma once
#include <cstdint>
#include <vector>
#include "score/images/image_pair.hpp"

namespace synthoscope::score {

/// Sums over voxels of a true value t and a result r.
struct PairMoments {
  std::int64_t voxels = 0;
  double truth_min = 0, truth_max = 0, truth_mean = 0, result_mean = 0;
  double truth_squares = 0, result_squares = 0;  ///< of differences from the means
  double products = 0;                           ///< of the differences of both
  double squared_truth = 0;                      ///< sum of t^2
  double squared_error = 0;                      ///< sum of (r - t)^2

  /// Adds the sums of other voxels.
  /// @source Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242, for sums around means
  void add(const PairMoments& other);

  /// max - min of the truth.
  [[nodiscard]] double range() const { return truth_max - truth_min; }
};

/// The sums of every plane, and of all.
struct PlaneMoments {
  std::vector<PairMoments> planes;
  PairMoments all;
};

/// gain r + offset is nearest to t: sum (gain r + offset - t)^2 is the least. A constant result has
/// the gain 0.
struct LinearFit {
  double gain = 1, offset = 0;
};

/// @throws InvalidInput, PlanError, Interrupted, and what the sources throw
PlaneMoments moments_of(const ScoredImage& truth, const ScoredImage& result,
                        const RunContext& context);

[[nodiscard]] LinearFit best_fit(const PairMoments& moments);

/// Returns sum (gain r + offset - t)^2 of every plane.
/// @throws as moments_of
std::vector<double> squared_residuals(const ScoredImage& truth, const ScoredImage& result,
                                      const LinearFit& fit, const RunContext& context);

/// Root of the mean squared error over the root of the mean squared truth: `normalized_root_mse` of
/// scikit-image with the normalization "euclidean". NaN if the truth is 0 everywhere.
[[nodiscard]] double nrmse(double squared_error, const PairMoments& moments);

/// 10 log10(R^2 / mean squared error) in dB, R = range: `peak_signal_noise_ratio` of scikit-image
/// with data_range = max - min of the truth. Infinite without errors; NaN if the range is 0.
[[nodiscard]] double psnr_db(double squared_error, const PairMoments& moments);

/// Pearson's correlation, -1 to 1. NaN if an image is constant.
[[nodiscard]] double pearson(const PairMoments& moments);

}  // namespace synthoscope::score
