// SPDX-License-Identifier: MIT
// simulator/detector/camera_maps.hpp — what differs from pixel to pixel: offset, gain, read noise.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// One value per pixel [y, x]; the same for all planes, frames and channels.
struct CameraMaps {
  std::int64_t height = 0, width = 0;
  std::vector<float> offset_dn, gain_dn_per_electron, read_noise_electrons;
};

/// What making and keeping the maps of a field takes, in bytes.
std::int64_t camera_map_bytes(const CameraSpec& spec, std::int64_t height, std::int64_t width);

/// Reads the maps that `spec` names and draws the others from `seed`, pixel by pixel:
///
///     value = mean + deviation * normal_quantile(u),  not below 0
///
/// The draws are a promise: stage `camera_maps`, index = y * width + x; offset from words 0 and 1
/// of draw 0, gain from words 2 and 3 of draw 0, read noise from words 0 and 1 of draw 1.
/// @throws InvalidInput  a map has another size, several planes, or holds NaN, infinity or a
///                       negative value. IoError and InvalidInput of imageio::open_image too.
CameraMaps make_camera_maps(const CameraSpec& spec, std::uint64_t seed, std::int64_t height,
                            std::int64_t width);

/// Reads the maps that `spec` names, and keeps none. @throws as make_camera_maps.
void require_readable_maps(const CameraSpec& spec, std::int64_t height, std::int64_t width);

}  // namespace synthoscope::simulator
