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
  /// Electrons per second of each pixel of the sensor; empty if they do not differ.
  std::vector<float> dark_current;

  /// Returns the number of values that a device holds.
  [[nodiscard]] std::int64_t values() const {
    return 3 * height * width + static_cast<std::int64_t>(dark_current.size());
  }
};

/// Returns the number of sensor pixels, along y and along x, whose charge is added on the chip to
/// one that is read out. Other binning adds digital numbers after read-out.
inline std::int64_t binned_on_chip(const CameraSpec& spec) {
  return spec.adds_charge() ? spec.binning : 1;
}

/// Returns the bytes needed to make and keep the maps of a field.
std::int64_t camera_map_bytes(const CameraSpec& spec, std::int64_t height, std::int64_t width);

/// Reads the maps that `spec` names and draws the others from `seed`:
///
///     value = mean + deviation * normal_quantile(u),  not below 0
///     offset = that + column_offset_spread * N(column) + row_offset_spread * N(row), not below 0
///     gain = that * (1 + column_gain_spread * N(column)), not below 0; 0 for a dead pixel
///     dark current = that + hot_dark_current * -log(1 - u) for a hot pixel
///
/// A pixel is dead, or hot, if a uniform number of its own is below the share of such pixels.
/// `height` and `width` are the sensor's.
///
/// The random draws are fixed and must not change: stage `camera_maps`, with the number of the
/// preset as frame word and the number of the kind as channel word, so that no two cameras of a
/// seed share a pattern, and one camera has the same pattern in all channels and frames. With index
/// = y * width + x of the pixels that are read out: offset from words 0 and 1 of draw 0, gain from
/// words 2 and 3 of draw 0, read noise from words 0 and 1 of draw 1, dead pixels from words 0 and 1
/// of draw 3. With index = y * width + x of the sensor: dark current from words 2 and 3 of draw 1,
/// hot pixels from words 0 and 1 of draw 2, their current from words 2 and 3. With index = x,
/// offset and gain of columns from words 0, 1 and 2, 3 of draw 4; with index = y, the offset of
/// rows from words 0 and 1 of draw 5.
/// @source Baer, Proc. SPIE 6068 (2006) 606805, doi:10.1117/12.639844 (the exponential tail of dark
///         currents).
/// @throws InvalidInput  a map has another size, several planes, or holds NaN, infinity or a
///                       negative value. Also IoError and InvalidInput of imageio::open_image.
CameraMaps make_camera_maps(const CameraSpec& spec, std::uint64_t seed, std::int64_t height,
                            std::int64_t width);

/// Reads the maps that `spec` names, and discards them. @throws as make_camera_maps.
void require_readable_maps(const CameraSpec& spec, std::int64_t height, std::int64_t width);

}  // namespace synthoscope::simulator
