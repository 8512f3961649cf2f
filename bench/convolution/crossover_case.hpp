// SPDX-License-Identifier: MIT
// bench/convolution/crossover_case.hpp — an image and a Gaussian kernel for direct sums, passes and
// FFT, and how far results are off.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include "core/math/random.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/correlate/product.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::bench {

/// Noise from 0 to 1.
inline Volume<float> crossover_image(const Extent3& extent) {
  Volume<float> image{extent};
  const RandomStream random{4, RandomStage::phantom};
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    image.voxels[i] = static_cast<float>(uniform32(random.block(i)[0]));
  return image;
}

struct CrossoverCase {
  const Volume<float>& image;
  kernels::SeparableStencil stencil;
  kernels::Stencil whole;
  Volume<float> kernel;
};

/// A kernel of `side` voxels along each axis, six standard deviations; of one along z for a plane.
inline CrossoverCase case_of(const Volume<float>& image, std::int64_t side) {
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = 0; i < side; ++i) {
    const double x = 6.0 * static_cast<double>(2 * i - side + 1) / static_cast<double>(2 * side);
    weights.push_back(std::exp(-0.5 * x * x));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  CrossoverCase made{
      image,
      kernels::separable_stencil(image.extent.z > 1 ? weights : std::vector{1.0}, weights, weights),
      {},
      {}};
  made.whole = kernels::product(made.stencil);
  made.kernel = Volume<float>{made.whole.extent};
  std::transform(made.whole.weights.begin(), made.whole.weights.end(), made.kernel.voxels.begin(),
                 [](double weight) { return static_cast<float>(weight); });
  return made;
}

inline kernels::NeighbourhoodSetting setting_of(const CrossoverCase& c) {
  kernels::NeighbourhoodSetting setting;
  setting.image = c.image.extent;
  setting.boundary = Boundary::zero;
  return setting;
}

/// The largest of some voxels against sums in double, over the largest of their values.
inline double error_of(const CrossoverCase& c, HostView3<const float> result) {
  constexpr std::uint64_t kCheckedVoxels = 64;
  const RandomStream random{3, RandomStage::certificate};
  const Extent3& n = c.image.extent;
  double worst = 0, peak = 0;
  for (std::uint64_t i = 0; i < kCheckedVoxels; ++i) {
    const auto words = random.block(i);
    const auto pick = [&](std::uint32_t bits, std::int64_t size) {
      return static_cast<std::int64_t>(bits) * size >> 32;
    };
    const Index3 at{pick(words[0], n.z), pick(words[1], n.y), pick(words[2], n.x)};
    double sum = 0;
    for (std::int64_t z = 0; z < c.kernel.extent.z; ++z)
      for (std::int64_t y = 0; y < c.kernel.extent.y; ++y)
        for (std::int64_t x = 0; x < c.kernel.extent.x; ++x) {
          const Index3 from{at.z + z - c.whole.centre.z, at.y + y - c.whole.centre.y,
                            at.x + x - c.whole.centre.x};
          if (from.z >= 0 && from.z < n.z && from.y >= 0 && from.y < n.y && from.x >= 0 &&
              from.x < n.x)
            sum += static_cast<double>(c.image.view()(from.z, from.y, from.x)) *
                   c.whole.weights[static_cast<std::size_t>(
                       (z * c.kernel.extent.y + y) * c.kernel.extent.x + x)];
        }
    worst = std::max(worst, std::abs(sum - static_cast<double>(result(at.z, at.y, at.x))));
    peak = std::max(peak, std::abs(sum));
  }
  return worst / peak;
}

}  // namespace synthoscope::bench
