// SPDX-License-Identifier: MIT
// deconvolution/filters/back_projector.hpp — a kernel that takes the place of the PSF in the
// adjoint, so that few iterations are enough.
#pragma once
#include <array>
#include "deconvolution/filters/psf_transfer.hpp"

namespace synthoscope::deconvolution {

/// Widths of a PSF at half of its largest voxel, through that voxel, along z, y and x, in voxels,
/// linear between voxels; where a face is met before, up to the face.
/// @throws InvalidInput  as transfer_of
std::array<double, 3> half_widths(const fftconv::Kernel& psf, const RunContext& context);

struct BackProjectorSpec {
  /// Noise over signal, above 0. Where |K|^2 is far below alpha, an iteration does what about
  /// 1 / alpha iterations with the PSF do. 0.1 suits most images; with less, noise grows, and below
  /// 0.01 the iterations may diverge. Noisy images need 0.3.
  double alpha = 0.1;
  int order = 10;     ///< n, 1 or more
  double beta = 0.1;  ///< amplitude at the cut-off, in (0, 1)
  /// Finest period that is restored along z, y and x, in voxels; 0: the PSF's half width
  std::array<double, 3> period{};
};

/// Makes the kernel b, with the extent and centre of the PSF. RichardsonLucy correlates residuals
/// with b in place of the PSF. Its transfer function is
///
///     B = (1 + alpha) K / (|K|^2 + alpha) / sqrt(1 + (1 / beta^2 - 1) rho^(2n))
///     rho^2 = (f_z d_z)^2 + (f_y d_y)^2 + (f_x d_x)^2
///
/// with the frequency f in cycles a voxel and the periods d. Derivation: where the estimate u is
/// nearly even, an iteration adds conj(B) K times what is missing at each frequency, so that
/// 1 - conj(B) K of the error remains. With B = K this is 1 - |K|^2: frequencies that the lens
/// hardly passes need about 1 / |K|^2 iterations. With b it is alpha (1 - |K|^2) / (|K|^2 + alpha):
/// one iteration finds most of what has |K|^2 > alpha. Beyond 1 / d the lens passes no detail, and
/// the Wiener filter amplifies noise. The Butterworth factor ends it, within an ellipsoid, because
/// the resolution differs along the axes. 1 + alpha makes B(0) = 1. Weights beyond the extent of
/// the PSF are cut off, and their sum is put back as a multiple of the PSF.
///
/// Limits: an iteration may lower the likelihood. b has negative weights, so that an estimate may
/// become negative; it is cut at 0. Noise grows quickly. Relative errors on simulated stacks of
/// nuclei, in the middle, band-limited by a Gaussian with a sigma of one voxel:
///
///                            confocal              wide-field
///     signal to noise       17     5     1         40    12
///     1 iteration with b   .08   .11   .47        .75   .75
///     2                    .06   .10   .52        .70   .70
///     12 with the PSF      .06   .09   .29        .73   .74
///     best with momentum   .03   .08   .28        .49   .50
///
/// @throws InvalidSpec   a number is outside its range.
/// @throws InvalidInput  as transfer_of
/// @throws PlanError     beyond the budget: 16 bytes for each of (2 PSF - 1)^3 voxels
/// @source Guo et al., Nat. Biotechnol. 38 (2020) 1337, doi:10.1038/s41587-020-0560-x
///         (Wiener-Butterworth)
FilterKernel make_back_projector(const fftconv::Kernel& psf, const Index3& center,
                                 const BackProjectorSpec& spec, const RunContext& context);

}  // namespace synthoscope::deconvolution
