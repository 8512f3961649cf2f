// SPDX-License-Identifier: MIT
// studio/server/saved_scene.hpp — scenes that the page saves.
#pragma once
#include <filesystem>
#include <string_view>
#include "studio/server/request.hpp"

namespace synthoscope::studio {

/// Returns whether `name` is the name of a file or folder in a folder: no path, no hidden file, no
/// control characters, at most 200 bytes.
bool is_plain_name(std::string_view name);

/// Returns whether `name` is plain, and ends in .toml.
bool is_scene_name(std::string_view name);

/// @throws InvalidSpec  `name` is no scene's.
void require_scene_name(const std::string& name);

/// Writes the text "toml" of the request's object to the file "name" in `folder`, whole or not at
/// all. A file that exists is replaced only if "overwrite" is true.
/// @returns  {"name": NAME}
/// @throws RequestFailure  409: the file exists.
/// @throws InvalidSpec     the object lacks a text, or the name is no scene's.
/// @throws IoError         it cannot be written.
Response save_scene(const Request& request, const std::filesystem::path& folder);

}  // namespace synthoscope::studio
