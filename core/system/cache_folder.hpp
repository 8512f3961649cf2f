// SPDX-License-Identifier: MIT
// core/system/cache_folder.hpp — where a user keeps what can be made again.
#pragma once
#include <filesystem>

namespace synthoscope {

/// $XDG_CACHE_HOME/synthoscope, with ~/.cache where that is not set; empty where neither is known.
/// It need not exist.
std::filesystem::path cache_folder();

}  // namespace synthoscope
