// SPDX-License-Identifier: MIT
// fit/run/twin_files.hpp — a fitted scene and its camera as files.
#pragma once
#include <string>
#include "fit/run/fit_twin.hpp"

namespace synthoscope::fit {

/// Returns the scene as TOML: the keys that were given or fitted, each fitted one with its interval
/// and what it was found from. parse_scene reads it back.
/// @param images  names of the real images, for the first line
std::string scene_toml(const Twin& twin, const std::vector<std::string>& images);

/// Returns the keys of [camera] in the same way, as a file that `detect --camera` takes.
std::string camera_toml(const Twin& twin, const std::vector<std::string>& images);

}  // namespace synthoscope::fit
