// SPDX-License-Identifier: MIT
// studio/files/saved_image.hpp — image files of the folder: which there are, and those that the
// page adds.
#pragma once
#include <filesystem>
#include <string>
#include "core/base/json_fwd.hpp"
#include "studio/server/unnamed_file.hpp"

namespace synthoscope::studio {

/// Returns {"files": [{"name": "beads.tif", "kind": "image"}, ...]} of the files in `folder`, by
/// name, which can be opened: images, and scenes or cameras, whose kind is "toml".
/// @throws IoError  the folder cannot be read.
Json files_json(const std::filesystem::path& folder);

/// Writes a file that was received as `name` to `folder`, whole or not at all. A file of this name
/// with the same content stays as it is.
/// @throws RequestFailure  409: another file of this name exists, and may not be replaced.
/// @throws InvalidSpec     `name` is no plain name that ends as images do.
/// @throws IoError         it cannot be written.
void save_image(const UnnamedFile& file, const std::filesystem::path& folder,
                const std::string& name, bool may_replace);

}  // namespace synthoscope::studio
