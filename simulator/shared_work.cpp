// SPDX-License-Identifier: MIT
#include "simulator/shared_work.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "core/json.hpp"
#include "simulator/set_standing.hpp"

namespace synthoscope::simulator {

std::optional<Json> begun_at(const imageio::DoorFile& door) {
  auto record = try_parse_json(door.text());
  const bool is_one = record && record->is_object() && record->contains("shards") &&
                      record->contains("seed") && record->contains("request");
  return is_one ? record : std::nullopt;
}

void SharedWork::refuse(const std::string& what) const {
  throw InvalidSpec(fmt::format("share {}: {}, or remove {} to begin anew", output_.string(), what,
                                door_.string()));
}

void SharedWork::require_shards(const Shard& shard) const {
  const auto shards = begun_.at("shards").get<std::int64_t>();
  if (shards != shard.count)
    refuse(fmt::format("it was begun in {} shards, and this is {}; give --shard I/{}", shards,
                       name_of(shard), shards));
}

std::int64_t SharedWork::seed(const std::optional<std::int64_t>& given) const {
  const auto seed = begun_.at("seed").get<std::int64_t>();
  if (given && *given != seed)
    refuse(fmt::format("it was begun with seed {}, and {} is given; leave the seed out", seed,
                       *given));
  return seed;
}

void SharedWork::require_request(const Json& asked) const {
  if (asked != begun_.at("request"))
    refuse(
        fmt::format("{}; give what it was begun with", difference_of(begun_.at("request"), asked)));
}

}  // namespace synthoscope::simulator
