// SPDX-License-Identifier: MIT
// studio/files/camera_text.hpp — a camera file becomes the camera of a scene.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope::studio {

/// Returns whether a text is a camera file, as `synthoscope calibrate` writes it: keys of a camera
/// at its top or under [camera], and nothing else.
/// @throws InvalidSpec  it is not TOML; the message calls it `name`.
bool is_camera_text(std::string_view text, std::string_view name);

/// Returns the text of a scene whose [camera] has the keys that a camera file gives, and no others.
/// Cameras of channels stay.
/// @param name  of the camera file, for messages
/// @throws InvalidSpec  the camera or the scene is not valid TOML, or a key of the camera is wrong.
std::string with_camera(std::string scene, std::string_view camera, std::string_view name);

}  // namespace synthoscope::studio
