// SPDX-License-Identifier: MIT
// tests/unit/fit/camera/noisy_image.hpp — images with the noise of a known camera.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit::test {

struct KnownCamera {
  double gain = 2, offset = 100, read_noise = 1.5, gain_spread = 0, offset_spread = 0;
  double highest = 65535;
  bool rounds = true;
};

/// Expected electrons at a pixel.
using Electrons = std::function<double(std::int64_t y, std::int64_t x)>;

/// Light that grows across the image from `least` to `most`, smoothly.
inline Electrons ramp(double least, double most, std::int64_t width) {
  return [=](std::int64_t, std::int64_t x) {
    return least + (most - least) * static_cast<double>(x) / static_cast<double>(width - 1);
  };
}

/// An image of `extent`; all planes have the same fixed pattern.
inline LabelledImage noisy_image(const Extent3& extent, const Electrons& light,
                                 const KnownCamera& camera) {
  LabelledImage image;
  image.name = "image.tif";
  image.grid = {extent, {0.3, 0.1, 0.1}};
  image.counts = Volume<float>{extent};
  for (std::int64_t z = 0; z < extent.z; ++z) {
    std::mt19937 pattern{1}, noise{static_cast<unsigned>(z) + 2};
    // One for each generator: a distribution keeps the second number of a pair
    std::normal_distribution<double> of_pattern, of_noise;
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const double gain = camera.gain * (1 + camera.gain_spread * of_pattern(pattern));
        const double offset = camera.offset + camera.offset_spread * of_pattern(pattern);
        const double mean = light(y, x);
        const double electrons = mean > 0 ? std::poisson_distribution<int>{mean}(noise) : 0;
        double dn = offset + gain * (electrons + camera.read_noise * of_noise(noise));
        if (camera.rounds) dn = std::floor(dn + 0.5);
        image.counts.view()(z, y, x) =
            static_cast<float>(std::min(std::max(dn, 0.0), camera.highest));
      }
  }
  return image;
}

}  // namespace synthoscope::fit::test
