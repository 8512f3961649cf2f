// SPDX-License-Identifier: MIT
// score/images/structural_similarity.hpp — SSIM with the published Gaussian window, of planes and
// of volumes.
#pragma once
#include <vector>
#include "score/images/intensity.hpp"

namespace synthoscope::score {

/// SSIM of a result as it is, and after the best gain and offset.
struct Similarity {
  double raw = 0, fitted = 0;
};

/// NaN where an axis is shorter than the window, and if the range is 0.
struct StructuralSimilarity {
  std::vector<Similarity> planes;  ///< of windows within each plane
  Similarity in_planes;            ///< their mean
  Similarity in_volume;            ///< of windows that reach over planes
};

/// Computes, for each voxel, from Gaussian means of windows around it,
///
///     SSIM = (2 m_t m_r + C1) (2 v_tr + C2) / ((m_t^2 + m_r^2 + C1) (v_t + v_r + C2)),
///     C1 = (0.01 R)^2, C2 = (0.03 R)^2,
///
/// with means m, variances v (of the population) and covariance v_tr, and averages it over voxels
/// whose window lies inside the image. A window has 11 voxels along each axis, also where voxels
/// are not as deep as wide, and a standard deviation of 1.5 voxels.
///
/// Equals scikit-image's `structural_similarity(t, r, gaussian_weights=True, sigma=1.5,
/// use_sample_covariance=False, data_range=R)` of float64 images. Reads the images once, in bands
/// of rows that are chosen by the memory; the result does not depend on them.
///
/// @param range  R: the same for all planes
/// @source Wang, Bovik, Sheikh & Simoncelli, IEEE Trans. Image Process. 13 (2004) 600,
///         doi:10.1109/TIP.2003.819861, equation 13
/// @throws InvalidInput, PlanError, Interrupted, and what the sources throw
StructuralSimilarity structural_similarity(const ScoredImage& truth, const ScoredImage& result,
                                           double range, const LinearFit& fit,
                                           const RunContext& context);

}  // namespace synthoscope::score
