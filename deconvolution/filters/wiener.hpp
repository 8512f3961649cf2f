// SPDX-License-Identifier: MIT
// deconvolution/filters/wiener.hpp — the linear filter that undoes a blur as far as noise allows,
// as a kernel.
#pragma once
#include "deconvolution/filters/psf_transfer.hpp"

namespace synthoscope::deconvolution {

struct WienerKernel {
  FilterKernel kernel;  ///< centred, at most 2 PSF - 1 voxels along an axis
  double lambda = 0;
  double cut_off = 0;  ///< share of the sum of |weights| that was left out
};

/// Makes the kernel w with the transfer function
///
///     W = (1 + lambda) conj(K) / (|K|^2 + lambda)
///
/// K is the transfer function of the PSF, 1 at frequency 0. Without the factor 1 + lambda, W is the
/// linear filter with the least mean square error for white signal and white noise, where lambda is
/// noise power over signal power. The factor makes W(0) = 1: an even image does not change, and
/// light is kept. For a large lambda, W becomes conj(K), the PSF turned around, instead of 0.
///
/// The size of w has to be decided: if K is close to 0 at low frequencies, as in the missing cone
/// of a wide-field PSF, w does not decay. w is multiplied by cos^2 windows that fall to 0 at the
/// distance of one PSF along each axis. This smooths W over the finest step that the PSF itself has
/// in frequency. On simulated wide-field stacks, kernels of four times the length were no better,
/// and kernels with sharp ends were far worse. Then faces are left out that hold at most 1e-4 of
/// the sum of |w|. A smooth window is added at last, so that the sum is 1.
///
/// A linear filter cannot estimate light outside the field. `wiener_problem` repeats the faces of
/// the image: on simulated stacks, errors near the edges were up to 40 % smaller than with mirrored
/// images. Light that came from outside the field stays where it was recorded, as in a wide-field
/// stack that is thinner than its PSF. RichardsonLucy can place it. Results may be negative.
/// @param lambda  above 0: noise to signal, such as 0.1 of noisy images to 0.001 of clean ones
/// @throws InvalidSpec   lambda is not a positive number.
/// @throws InvalidInput  as transfer_of
/// @throws PlanError     beyond the budget: 16 bytes for each of (2 PSF - 1)^3 voxels
/// @source Wiener, Extrapolation, Interpolation, and Smoothing of Stationary Time Series (1949)
WienerKernel make_wiener(const fftconv::Kernel& psf, const Index3& center, double lambda,
                         const RunContext& context);

/// Returns the convolution that applies `wiener` to an image of this extent.
fftconv::Problem wiener_problem(const Extent3& image, const WienerKernel& wiener);

/// @throws InvalidSpec  lambda is not a positive number
void require_lambda(double lambda);

}  // namespace synthoscope::deconvolution
