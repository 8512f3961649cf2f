// SPDX-License-Identifier: MIT
// simulator/detector/camera_maps.hpp — what differs from pixel to pixel: offset, gain, read noise.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// One value per pixel [y, x]; the same for all planes, frames and channels.
struct CameraMaps {
  std::int64_t height = 0, width = 0;  ///< of the pixels that are read out
  std::vector<float> offset_dn, gain_dn_per_electron, read_noise_electrons;
  /// Electrons per second, of the pixels of the sensor; empty where they do not differ.
  std::vector<float> dark_current;

  /// What a device holds of them.
  [[nodiscard]] std::int64_t values() const {
    return 3 * height * width + static_cast<std::int64_t>(dark_current.size());
  }
};

/// Pixels of the sensor that make one that is read out, along y and along x: charge is added on the
/// chip, numbers behind it.
inline std::int64_t binned_on_chip(const CameraSpec& spec) {
  return spec.adds_charge() ? spec.binning : 1;
}

/// What making and keeping the maps of a field takes, in bytes.
std::int64_t camera_map_bytes(const CameraSpec& spec, std::int64_t height, std::int64_t width);

/// Reads the maps that `spec` names and draws the others from `seed`:
///
///     value = mean + deviation * normal_quantile(u),  not below 0
///     offset = that + column_offset_spread * N(column) + row_offset_spread * N(row), not below 0
///     gain = that * (1 + column_gain_spread * N(column)), not below 0; 0 for a dead pixel
///     dark current = that + hot_dark_current * -log(1 - u) for a hot pixel
///
/// A pixel is dead, or hot, where a uniform number of its own is below the share of such pixels.
/// `height` and `width` are those of the sensor.
///
/// The draws are a promise: stage `camera_maps`, the frame word the number of the preset and the
/// channel word that of the kind, so that no two cameras of a seed share a pattern, and one camera
/// has the same in all channels and frames; index = y * width + x of the pixels that are read
/// out; offset from words 0 and 1 of draw 0, gain from words 2 and 3 of draw 0, read noise from
/// words 0 and 1 of draw 1, dead pixels from words 0 and 1 of draw 3. With index = y * width + x of
/// the sensor: dark current from words 2 and 3 of draw 1, hot pixels from words 0 and 1 of draw 2,
/// their current from words 2 and 3. With index = x, offset and gain of columns from words 0, 1 and
/// 2, 3 of draw 4; with index = y, the offset of rows from words 0 and 1 of draw 5.
/// @source Baer, Proc. SPIE 6068 (2006) 606805, doi:10.1117/12.639844 (the exponential tail of dark
///         currents).
/// @throws InvalidInput  a map has another size, several planes, or holds NaN, infinity or a
///                       negative value. IoError and InvalidInput of imageio::open_image too.
CameraMaps make_camera_maps(const CameraSpec& spec, std::uint64_t seed, std::int64_t height,
                            std::int64_t width);

/// Reads the maps that `spec` names, and keeps none. @throws as make_camera_maps.
void require_readable_maps(const CameraSpec& spec, std::int64_t height, std::int64_t width);

}  // namespace synthoscope::simulator
