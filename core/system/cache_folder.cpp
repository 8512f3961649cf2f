// SPDX-License-Identifier: MIT
#include "core/system/cache_folder.hpp"
#include <cstdlib>

namespace synthoscope {

std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::filesystem::path{cache} / "synthoscope";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::filesystem::path{home} / ".cache" / "synthoscope";
  return {};
}

}  // namespace synthoscope
