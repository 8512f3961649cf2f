// SPDX-License-Identifier: MIT
// core/volume/shard.hpp — the part of a run that one of several processes does.
#pragma once
#include <cstdint>
#include <string>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// One of `count` parts, from 1.
struct Shard {
  std::int64_t number = 1, count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// "3/8".
std::string name_of(const Shard& shard);

/// Its steps: a stretch of all; the shares of all shards cover them once, as equal as can be.
Interval share_of(const Shard& shard, std::int64_t steps);

}  // namespace synthoscope
