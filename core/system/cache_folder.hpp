// SPDX-License-Identifier: MIT
// core/system/cache_folder.hpp — where a user keeps what can be made again.
#pragma once
#include <filesystem>

namespace synthoscope {

/// Returns $XDG_CACHE_HOME/synthoscope, or ~/.cache/synthoscope if that variable is not set; empty
/// if neither is known. The folder need not exist.
std::filesystem::path cache_folder();

}  // namespace synthoscope
