// SPDX-License-Identifier: MIT
// simulator/truth/pixel_signal.hpp — the signal-to-noise ratio of a pixel, from the camera's model.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/detector/expected_counts.hpp"
#include "simulator/light/background.hpp"
#include "simulator/light/illumination.hpp"

namespace synthoscope::simulator {

/// What an image was taken with, as far as its noise depends on it. All references outlive this.
struct ImageNoise {
  const CameraEpilogue& camera;
  Background background;  ///< before the illumination
  const Illumination& illumination;
};

/// Computes what is expected of pixels that are read out, each from the photons of the binning x
/// binning pixels of the sensor that it adds up. `dose` multiplies all light. Not thread-safe: each
/// thread has its own.
class PixelSignal {
 public:
  explicit PixelSignal(const ImageNoise& noise);

  /// Returns pixels of the sensor along y and x that one pixel adds up.
  [[nodiscard]] std::int64_t bin() const { return bin_; }

  /// Returns (E[count] - E[count of background and offset]) / sd[count] of the pixel whose first
  /// pixel of the sensor is (y, x) of plane z.
  double ratio(const Index3& at, const PhotonPointer& photons, double dose = 1) {
    return ratio(at, noise_.background, photons, dose);
  }
  /// Returns the ratio with another background, such as that of another frame.
  double ratio(const Index3& at, const Background& background, const PhotonPointer& photons,
               double dose);

  /// Returns ExpectedCounts::range_used of this pixel.
  double range_used(std::int64_t y, std::int64_t x, const PhotonPointer& photons, double dose);

 private:
  [[nodiscard]] PhotonPointer times(const PhotonPointer& photons, double dose);

  const ImageNoise& noise_;
  ExpectedCounts counts_;
  std::int64_t bin_;
  std::vector<float> dark_, scaled_;  ///< of one pixel
};

}  // namespace synthoscope::simulator
