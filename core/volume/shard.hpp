// SPDX-License-Identifier: MIT
// core/volume/shard.hpp — the steps of a run that one of several processes does.
#pragma once
#include <cstdint>
#include <string>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// Number `number` of `count` shards, from 1.
struct Shard {
  std::int64_t number = 1, count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Returns "3/8".
std::string name_of(const Shard& shard);

/// Returns the steps of a shard: consecutive ones. Shards have no step in common, and their numbers
/// of steps differ by one at most.
Interval share_of(const Shard& shard, std::int64_t steps);

}  // namespace synthoscope
