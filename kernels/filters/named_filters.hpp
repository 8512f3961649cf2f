// SPDX-License-Identifier: MIT
// kernels/filters/named_filters.hpp — kernels from formulae: Gaussians and their derivatives,
// boxes, differences, Gabor filters.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>
#include "kernels/filters/filter.hpp"

namespace synthoscope::kernels {

/// One number for each axis: z, y, x.
template <class T>
using PerAxis = std::array<T, 3>;

/// Returns the weights of a sampled Gaussian or of its derivative, for correlation, at voxels from
/// -r to r, r = truncate * sigma + 1/2, rounded down. The Gaussian's sum is 1 before
/// differentiation.
///     He_n(d / sigma) / sigma^n * g(d),    He: Hermite polynomials, 1, t, t^2 - 1, t^3 - 3 t, ...
/// {1} if sigma is 0. As in scipy.ndimage.gaussian_filter1d.
/// @throws InvalidSpec  sigma < 0, truncate <= 0, order outside [0, 8], order > 0 with sigma 0, or
///                      a radius beyond 100000.
std::vector<double> gaussian_weights(double sigma, double truncate, std::int64_t order = 0);

/// Returns the product of gaussian_weights along the axes.
SeparableStencil gaussian(const PerAxis<double>& sigma, double truncate,
                          const PerAxis<std::int64_t>& order = {0, 0, 0});

/// Returns the mean of sizes[axis] voxels along each axis, as scipy.ndimage.uniform_filter.
/// @throws InvalidSpec  a size < 1 or > 100000.
SeparableStencil box(const PerAxis<std::int64_t>& sizes);

/// A slope along `axis` (0: z), smoothed along the other `active` axes: -1 0 1 times
///   sobel 1 2 1,   prewitt 1 1 1,   scharr 3 10 3.
/// As scipy.ndimage.sobel and prewitt.
/// @source  Scharr's weights: H. Scharr, Optimale Operatoren in der Digitalen Bildverarbeitung,
///          dissertation, Heidelberg (2000), doi:10.11588/heidok.00000962.
enum class SlopeFilter { sobel, prewitt, scharr };
SeparableStencil slope(SlopeFilter filter, std::size_t axis, const PerAxis<bool>& active);

/// Returns the sum of second differences 1 -2 1 along active axes, as scipy.ndimage.laplace.
Stencil laplacian(const PerAxis<bool>& active);

/// Returns the Laplacian of a Gaussian: the sum of second derivatives along axes whose sigma is not
/// 0, as scipy.ndimage.gaussian_laplace.
/// @source  Marr and Hildreth, Proc. R. Soc. B 207, 187-217 (1980), doi:10.1098/rspb.1980.0020.
SeparableStencil laplacian_of_gaussian(const PerAxis<double>& sigma, double truncate);

/// Returns the Gaussian minus one that is `ratio` times as wide. Marr and Hildreth's ratio is 1.6.
/// @throws InvalidSpec  ratio <= 0 or ratio = 1.
SeparableStencil difference_of_gaussians(const PerAxis<double>& sigma, double ratio,
                                         double truncate);

/// A wave under a Gaussian, in the plane of y and x:
///     exp(-(u^2 + aspect^2 v^2) / (2 sigma^2)) cos(2 pi u / wavelength + phase),
///     u = x cos(orientation) + y sin(orientation),   v = y cos(orientation) - x sin(orientation).
/// @source  Daugman, J. Opt. Soc. Am. A 2, 1160-1169 (1985), doi:10.1364/JOSAA.2.001160.
struct GaborSpec {
  double sigma = 4, wavelength = 8;  ///< voxels
  double orientation_degrees = 0, phase_degrees = 0;
  double aspect = 0.5;
};
/// @throws InvalidSpec  sigma, wavelength or aspect not positive, or a radius beyond 1000.
Stencil gabor(const GaborSpec& spec, double truncate);

}  // namespace synthoscope::kernels
