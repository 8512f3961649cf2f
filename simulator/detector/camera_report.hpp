// SPDX-License-Identifier: MIT
// simulator/detector/camera_report.hpp — what a camera recorded and clipped. Host and device
// compile this file.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// What the camera recorded and clipped so far.
struct CameraReport {
  std::int64_t voxels = 0;
  std::int64_t full_wells = 0;        ///< charges clipped at the full well of pixel or register
  std::int64_t full_counters = 0;     ///< pixels that reached their largest count
  std::int64_t clipped_low = 0;       ///< below 0 DN
  std::int64_t clipped_high = 0;      ///< above 2^bits - 1 DN
  std::int64_t negative_photons = 0;  ///< treated as 0; FFT rounding leaves tiny ones
  float most_negative_photons = 0;
  friend bool operator==(const CameraReport&, const CameraReport&) = default;
};

}  // namespace synthoscope::simulator
