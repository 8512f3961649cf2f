// SPDX-License-Identifier: MIT
// tests/unit/deconvolution/gaussian_psf.hpp — PSFs whose transfer function is known.
#pragma once
#include <cmath>
#include <numbers>
#include <numeric>
#include "core/stream/memory_stream.hpp"

namespace synthoscope::deconvolution::test {

/// A Gaussian in the middle of a volume of odd extent, of sum 1.
inline Volume<double> gaussian_psf(const Extent3& extent, double sigma) {
  Volume<double> psf{extent};
  const auto square = [](std::int64_t at, std::int64_t length) {
    return static_cast<double>((at - length / 2) * (at - length / 2));
  };
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        psf.view()(z, y, x) =
            std::exp(-(square(z, extent.z) + square(y, extent.y) + square(x, extent.x)) /
                     (2 * sigma * sigma));
  const double sum = std::accumulate(psf.voxels.begin(), psf.voxels.end(), 0.0);
  for (double& voxel : psf.voxels) voxel /= sum;
  return psf;
}

/// Its transfer function along one axis, at f cycles a voxel.
inline double gaussian_transfer(double sigma, double f) {
  const double angle = 2 * std::numbers::pi * f * sigma;
  return std::exp(-0.5 * angle * angle);
}

inline Index3 middle_of(const Extent3& extent) {
  return {extent.z / 2, extent.y / 2, extent.x / 2};
}

}  // namespace synthoscope::deconvolution::test
