// SPDX-License-Identifier: MIT
#include "simulator/truth/pixel_signal.hpp"
#include <cmath>

namespace synthoscope::simulator {

PixelSignal::PixelSignal(const ImageNoise& noise)
    : noise_{noise},
      counts_{noise.camera},
      bin_{noise.camera.exposure().binning},
      dark_(static_cast<std::size_t>(bin_ * bin_)),
      scaled_(dark_.size()) {}

PhotonPointer PixelSignal::times(const PhotonPointer& photons, double dose) {
  if (dose == 1) return photons;
  for (std::int64_t i = 0; i < bin_; ++i)
    for (std::int64_t j = 0; j < bin_; ++j)
      scaled_[static_cast<std::size_t>(i * bin_ + j)] =
          static_cast<float>(dose * static_cast<double>(photons.first[i * photons.row + j]));
  return {scaled_.data(), bin_};
}

double PixelSignal::ratio(const Index3& at, const Background& background,
                          const PhotonPointer& photons, double dose) {
  const auto& [z, y, x] = at;
  for (std::int64_t i = 0; i < bin_; ++i)
    for (std::int64_t j = 0; j < bin_; ++j)
      dark_[static_cast<std::size_t>(i * bin_ + j)] = static_cast<float>(
          dose * background.at(z, y + i, x + j) * noise_.illumination.at(y + i, x + j));
  const CountMoments seen = counts_.of(y / bin_, x / bin_, times(photons, dose));
  const CountMoments without = counts_.of(y / bin_, x / bin_, {dark_.data(), bin_});
  return seen.variance > 0 ? (seen.mean - without.mean) / std::sqrt(seen.variance) : 0;
}

double PixelSignal::range_used(std::int64_t y, std::int64_t x, const PhotonPointer& photons,
                               double dose) {
  return counts_.range_used(y / bin_, x / bin_, times(photons, dose));
}

}  // namespace synthoscope::simulator
