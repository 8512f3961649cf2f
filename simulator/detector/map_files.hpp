// SPDX-License-Identifier: MIT
// simulator/detector/map_files.hpp — a camera's maps as image files, which cameras read.
#pragma once
#include <filesystem>
#include <vector>
#include "simulator/detector/camera_maps.hpp"

namespace synthoscope::simulator {

/// Files that write_maps makes in `folder`: offset.tif, gain.tif, read_noise.tif and, where there
/// is a map of it, dark_current.tif.
std::vector<std::filesystem::path> map_files(const std::filesystem::path& folder,
                                             bool has_dark_map);

/// Writes these, float32, into `folder`, which is made if it is not there.
/// @returns `camera` with the keys of maps that name the files.
/// @throws InvalidSpec  a file is there already and `overwrite` is not set. IoError
CameraSpec write_maps(const CameraMaps& maps, const CameraSpec& camera,
                      const std::filesystem::path& folder, bool overwrite);

}  // namespace synthoscope::simulator
