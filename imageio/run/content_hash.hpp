// SPDX-License-Identifier: MIT
// imageio/run/content_hash.hpp — a hash of a file's content, to recognize the file later.
#pragma once
#include <filesystem>
#include <string>
#include "core/math/content_hash.hpp"

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

/// Returns XXH64 of a file's bytes as 16 hexadecimal digits; for a folder, of the names and bytes
/// of all its files. @throws IoError  @throws Interrupted  `stop` was requested.
std::string hash_file(const std::filesystem::path& path, const StopFlag* stop = nullptr);

}  // namespace synthoscope::imageio
