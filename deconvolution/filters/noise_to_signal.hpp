// SPDX-License-Identifier: MIT
// deconvolution/filters/noise_to_signal.hpp — lambda of the Wiener filter, chosen from the image
// alone.
#pragma once
#include "deconvolution/filters/psf_transfer.hpp"

namespace synthoscope::deconvolution {

/// The least and the largest lambda that is tried.
inline constexpr double kLeastLambda = 1e-6, kMostLambda = 10;

struct LambdaChoice {
  double lambda = 0;
  bool is_at_end = false;  ///< of what is tried: the image says little about it
  Extent3 block;           ///< of the image, whose spectrum was measured
  int blocks = 0;
};

/// Chooses lambda by generalised cross-validation: how well each voxel is predicted if it is left
/// out, the others are filtered, and the result is blurred again. Minimises
///
///     V(lambda) = mean (1 - H)^2 P / (mean (1 - H))^2
///     H = K W = (1 + lambda) |K|^2 / (|K|^2 + lambda)
///
/// over the frequencies. P is the power spectrum of the image, W as in make_wiener.
///
/// V needs noise with the same power at all frequencies, but not its size. Photon noise is stronger
/// where the image is bright, but it is independent from voxel to voxel. So its expected power is
/// the same at every frequency: the sum of the variances of all voxels. This holds for camera noise
/// as well. It does not hold for images that were interpolated, smoothed or compressed with losses:
/// lambda is then too small.
///
/// P is the mean over at most 8 blocks, spread over the image, of at most 2^21 voxels each. The
/// mean of a block is subtracted, so that a background has no effect, and a cos^2 window is
/// applied. Frequencies with nearly equal |K|^2 form a class. Where |K| < 0.1, the power of a class
/// comes from the mean of its logarithm, which few strong frequencies hardly change: they are light
/// that the model cannot explain, as in a wide-field stack that is thinner than its PSF.
///
/// V is about the blurred image, not about the light. On simulated stacks, the error of the light
/// was within 1 % of the smallest over lambda for a wide-field PSF, and for a confocal one with a
/// signal to noise of 17 and 5; with 1 it was 14 % larger, because lambda was too small.
/// @throws InvalidInput  as transfer_of; all blocks are even, so that there is no signal
/// @throws PlanError     beyond the budget, some 70 MB at most
/// @throws Interrupted, and what the sources throw
/// @source Golub, Heath, Wahba, Technometrics 21 (1979) 215, doi:10.1080/00401706.1979.10489751;
///         Reeves, Mersereau, IEEE Trans. Image Process. 1 (1992) 322, doi:10.1109/83.148606
///         (images); Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70,
///         doi:10.1109/TAU.1967.1161901 (blocks)
LambdaChoice choose_lambda(Source& image, const fftconv::Kernel& psf, const Index3& center,
                           const RunContext& context);

}  // namespace synthoscope::deconvolution
