// SPDX-License-Identifier: MIT
// imageio/input/folder_files.hpp — what lies in a folder that is one image.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace synthoscope::imageio {

/// The files in a folder and in those inside, in the order of their names; a file alone is that
/// file. Links are passed over. @throws IoError
std::vector<std::filesystem::path> files_in(const std::filesystem::path& path);

/// Bytes of all of them. @throws IoError
std::int64_t bytes_in(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
