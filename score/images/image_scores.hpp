// SPDX-License-Identifier: MIT
// score/images/image_scores.hpp — all scores of a restored or denoised image beside noise-free
// light.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/base/units.hpp"
#include "score/images/fourier_correlation.hpp"
#include "score/images/object_flux.hpp"
#include "score/images/structural_similarity.hpp"

namespace synthoscope::score {

struct ImageScoreRequest {
  ScoredImage truth, result;
  VoxelSize voxel;                     ///< of both
  const LabelImage* labels = nullptr;  ///< objects whose light is summed; null: none
  FourierWindow window = FourierWindow::tukey;
  bool shells = true;  ///< transforms the whole volume, 16 bytes a voxel in memory
};

/// How far values lie from the truth.
struct ErrorScores {
  double nrmse = 0;    ///< score::nrmse
  double psnr = 0;     ///< dB, score::psnr_db
  double ssim = 0;     ///< mean of the SSIM of planes
  double ssim_3d = 0;  ///< NaN of fewer than 11 planes
};

/// A plane by itself. NRMSE is relative to the plane's own truth; SSIM takes the range of the whole
/// truth, so that noise in a dark plane does not count as structure.
struct DepthScores {
  ErrorScores raw, fitted;  ///< psnr with the range of the whole truth; ssim_3d is NaN
  Resolution rings;
};

/// What is undefined is NaN, such as the SSIM of an image smaller than its window.
struct ImageScores {
  Extent3 extent;
  VoxelSize voxel;
  FourierWindow window = FourierWindow::tukey;
  ErrorScores raw;     ///< of the result as it is
  ErrorScores fitted;  ///< after the gain and offset of `fit`, those of the whole image
  LinearFit fit;
  double pearson = 0;
  double truth_mean = 0, result_mean = 0;
  double data_range = 0;  ///< max - min of the truth
  std::vector<DepthScores> planes;
  FourierRings rings;
  std::optional<FourierCurve> shells;  ///< none of one plane, or if they were not asked for
  std::optional<std::vector<ObjectFlux>> objects;  ///< none without labels
};

/// Reads both images several times, in bands of rows. Numbers do not depend on threads and memory;
/// those of Fourier transforms depend in their last digits on the vector unit.
/// @throws InvalidSpec   the images, or the labels, differ in size.
/// @throws InvalidInput  a voxel is NaN or infinite, or a label is no whole number.
/// @throws PlanError     the memory has no room.  @throws Interrupted, and what the sources throw
ImageScores image_scores(const ImageScoreRequest& request, const RunContext& context);

/// Keys `nrmse`, `psnr`, `ssim` and `ssim_3d` of the result as it is, the same below `fitted`;
/// `fsc_um`, the crossing of 1/7 by shells, by rings of a single plane. What is undefined or
/// infinite is null.
Json json_of(const ImageScores& scores);

}  // namespace synthoscope::score
