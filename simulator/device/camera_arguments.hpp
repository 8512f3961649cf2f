// SPDX-License-Identifier: MIT
// simulator/device/camera_arguments.hpp — what the camera's kernel is told and what it counts; read
// by the compiler of the host and by that of devices.
#pragma once
#include <cstdint>
#include "simulator/detector/exposure.hpp"

namespace synthoscope::simulator::device {

/// Photons that are no numbers, by their voxel: the first one counts.
enum class NoNumber : std::uint32_t { nan, infinity, minus_infinity };
inline constexpr std::uint64_t kAllNumbers = ~std::uint64_t{0};

/// CameraReport as many threads add to it. Starts like this.
struct CameraCounters {
  unsigned long long full_wells = 0, full_counters = 0, clipped_low = 0, clipped_high = 0,
                     negative_photons = 0;
  unsigned long long no_number = kAllNumbers;  ///< 4 voxel + NoNumber, of the first one
  unsigned int most_negative_bits = 0;         ///< of the float: the more negative, the larger
};

/// A box of planes: its photons and its counts, both without gaps.
struct CameraArguments {
  Exposure exposure;
  MapPointers maps;
  std::int64_t z = 0, y = 0, x = 0;                ///< of the first pixel that is read out
  std::int64_t planes = 0, rows = 0, columns = 0;  ///< of pixels that are read out
  const float* photons = nullptr;
  void* counts = nullptr;
  CameraCounters* counters = nullptr;
};

/// What a device keeps of a camera whose maps hold so many values: these and counters.
inline std::int64_t camera_bytes(std::int64_t values) {
  return values * static_cast<std::int64_t>(sizeof(float)) +
         static_cast<std::int64_t>(sizeof(CameraCounters));
}

inline constexpr int kCameraThreads = 256;  ///< of a block; each takes pixels until none is left

}  // namespace synthoscope::simulator::device
