// SPDX-License-Identifier: MIT
// imageio/text_file.hpp — the whole of a text file, or the failure.
#pragma once
#include <filesystem>
#include <istream>
#include <string>

namespace synthoscope::imageio {

/// The whole of a text file; of a pipe, until it ends.
/// @throws IoError  it cannot be opened, or read to its end.
std::string read_text(const std::filesystem::path& path);

/// For who reads lines until there is none: a disk that fails ends them, too.
/// @throws IoError  `file`, which `path` names, did not end but failed.
void require_read(const std::istream& file, const std::filesystem::path& path);

}  // namespace synthoscope::imageio
