// SPDX-License-Identifier: MIT
#include "core/volume/shard.hpp"
#include <fmt/format.h>

namespace synthoscope {

std::string name_of(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

Interval share_of(const Shard& shard, std::int64_t steps) {
  const std::int64_t first = steps * (shard.number - 1) / shard.count;
  return {first, steps * shard.number / shard.count - first};
}

}  // namespace synthoscope
