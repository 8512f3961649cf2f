// SPDX-License-Identifier: MIT
// deconvolution/iteration/depth_psf.hpp — a PSF that varies with depth.
#pragma once
#include <vector>
#include "core/stream/scratch_volume.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::deconvolution {

/// One of several PSFs h_j with weights w_j of the planes of the light, which together are
///
///     H u = sum_j h_j conv (w_j u),      H^T d = sum_j w_j (h_j corr d)
struct WeightedPsf {
  fftconv::Kernel kernel;            ///< all have the same extent and centre
  std::vector<double> weights = {};  ///< one per plane of the estimate; empty: 1 everywhere
};

/// Does both convolutions with such PSFs, one PSF after another by the same plan. The sums are kept
/// in volumes, because what follows a convolution reads its voxels, and needs the whole sum.
class DepthConvolution {
 public:
  /// All must outlive this.
  DepthConvolution(const std::vector<WeightedPsf>& psfs, fftconv::Executor& executor,
                   const RunContext& context)
      : psfs_{psfs}, executor_{executor}, context_{context} {}

  /// Writes H u to `sum`. @throws as Executor::run
  void blur(const fftconv::Plan& plan, Source& light, ScratchVolume& sum);

  /// Writes H^T d to `sum`. @throws as Executor::run
  void adjoint(const fftconv::Plan& plan, Source& residuals, ScratchVolume& sum);

 private:
  template <class Convolve>
  void for_each_psf(ScratchVolume& sum, Convolve&& convolve);

  const std::vector<WeightedPsf>& psfs_;
  fftconv::Executor& executor_;
  const RunContext& context_;
};

}  // namespace synthoscope::deconvolution
