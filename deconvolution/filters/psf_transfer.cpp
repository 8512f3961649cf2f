// SPDX-License-Identifier: MIT
#include "deconvolution/filters/psf_transfer.hpp"
#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "core/volume/boundary.hpp"
#include "fftconv/kernel/kernel.hpp"

namespace synthoscope::deconvolution {

FourierVolume transfer_of(const fftconv::Kernel& psf, const Index3& center, const Extent3& extent,
                          const RunContext& context) {
  const fftconv::KernelSummary summary =
      fftconv::summarize(*psf.voxels, context.stop, psf.background);
  fftconv::require_usable(summary, "of the PSF");
  const double sum = psf.scale * summary.sum;
  if (!(sum > 0))
    throw InvalidInput(fmt::format(
        "deconvolve: the voxels of the PSF add up to {:.6g}, and a PSF spreads light, so that its "
        "sum is above 0; subtract a smaller background from it",
        sum));
  FourierVolume transfer{extent, context};
  transfer.add_kernel({psf.voxels, psf.background, psf.scale / sum}, center);
  transfer.forward();
  return transfer;
}

FilterKernel cut_out(const FourierVolume& volume, const Extent3& extent, const Index3& center,
                     const RunContext& context) {
  FilterKernel kernel{extent, center, {context.memory, extent.z * extent.y * extent.x, "a kernel"}};
  const Extent3& from = volume.extent();
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y) {
      const std::complex<double>* const row =
          volume.row(wrapped_index(z - center.z, from.z), wrapped_index(y - center.y, from.y));
      float* const to = kernel.view().row(z, y);
      for (std::int64_t x = 0; x < extent.x; ++x)
        to[x] = static_cast<float>(row[wrapped_index(x - center.x, from.x)].real());
    }
  return kernel;
}

std::vector<double> falling_weights(std::int64_t half) {
  std::vector<double> weights(as_index(2 * half + 1));
  for (std::int64_t i = -half; i <= half; ++i) {
    const double cosine =
        std::cos(0.5 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(half + 1));
    weights[as_index(i + half)] = cosine * cosine;
  }
  return weights;
}

double sum_of(const FilterKernel& kernel) {
  double sum = 0;
  const std::int64_t in_plane = kernel.extent.y * kernel.extent.x;
  for (std::int64_t z = 0; z < kernel.extent.z; ++z) {
    double of_plane = 0;
    for (std::int64_t i = 0; i < in_plane; ++i)
      of_plane += static_cast<double>(kernel.weights.data()[z * in_plane + i]);
    sum += of_plane;
  }
  return sum;
}

}  // namespace synthoscope::deconvolution
