// SPDX-License-Identifier: MIT
// imageio/run/content_hash.hpp — tells whether a file is the one that was read.
#pragma once
#include <filesystem>
#include <string>
#include "core/math/content_hash.hpp"

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

/// XXH64 of a file's bytes as 16 hexadecimal digits; of a folder that of the names and bytes of
/// all files in it.
/// @throws IoError  @throws Interrupted  `stop` was requested.
std::string hash_file(const std::filesystem::path& path, const StopFlag* stop = nullptr);

}  // namespace synthoscope::imageio
