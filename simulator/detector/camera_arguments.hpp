// SPDX-License-Identifier: MIT
// simulator/detector/camera_arguments.hpp — arguments and counters of the camera's kernel. Host and
// device compile this file.
#pragma once
#include <cstdint>
#include "simulator/detector/exposure.hpp"

namespace synthoscope::simulator::device {

/// Photons that are not finite; the first such voxel is reported.
enum class NoNumber : std::uint32_t { nan, infinity, minus_infinity };
inline constexpr std::uint64_t kAllNumbers = ~std::uint64_t{0};

/// CameraReport in a form that many threads add to, with its initial values.
struct CameraCounters {
  unsigned long long full_wells = 0, full_counters = 0, clipped_low = 0, clipped_high = 0,
                     negative_photons = 0;
  unsigned long long no_number = kAllNumbers;  ///< 4 voxel + NoNumber, of the first one
  unsigned int most_negative_bits = 0;         ///< bits of the float: the more negative, the larger
};

/// A box of planes: its photons and its counts, both contiguous.
struct CameraArguments {
  Exposure exposure;
  MapPointers maps;
  std::int64_t z = 0, y = 0, x = 0;                ///< of the first pixel that is read out
  std::int64_t planes = 0, rows = 0, columns = 0;  ///< of pixels that are read out
  const float* photons = nullptr;
  void* counts = nullptr;
  CameraCounters* counters = nullptr;
};

/// Returns the bytes that a device keeps for a camera whose maps hold `values` values, with
/// counters.
inline std::int64_t camera_bytes(std::int64_t values) {
  return values * static_cast<std::int64_t>(sizeof(float)) +
         static_cast<std::int64_t>(sizeof(CameraCounters));
}

inline constexpr int kCameraThreads = 256;  ///< per block; each takes pixels until none is left

}  // namespace synthoscope::simulator::device
