// SPDX-License-Identifier: MIT
#include "simulator/share/shared_work.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "simulator/share/data_set_state.hpp"

namespace synthoscope::simulator {
namespace {

void require_this_version(const std::filesystem::path& lock, const Json& begun) {
  const auto version = begun.at("request").at("version").get<std::string>();
  if (version != kVersion)
    throw InvalidSpec(
        fmt::format("share: {} was begun by version {}, and this is {}; use that one, or remove it "
                    "to start over",
                    lock.string(), version, kVersion));
}

std::string images_text(std::size_t images) {
  return images == 1 ? "1 image a frame" : fmt::format("{} images a frame", images);
}

}  // namespace

void refuse_lock_file(const std::filesystem::path& lock) {
  throw InvalidSpec(fmt::format(
      "share: {} is not what a simulation writes; remove it to start over", lock.string()));
}

std::optional<Json> begun_at(const imageio::LockFile& lock) {
  auto record = try_parse_json(lock.text());
  if (!record) return std::nullopt;
  read_begun(lock.path(), [&] {
    require_this_version(lock.path(), *record);
    whole_of(record->at("seed"));  // SharedWork::seed relies on it
    if (whole_of(record->at("shards")) < 1) refuse_lock_file(lock.path());
  });
  return record;
}

void SharedWork::refuse(const std::string& what) const {
  throw InvalidSpec(fmt::format("share {}: {}, or remove {} to start over", output_.string(), what,
                                lock_.string()));
}

void SharedWork::require_shards(const Shard& shard) const {
  const auto shards = whole_of(begun_.at("shards"));
  if (shards != shard.count)
    refuse(fmt::format("it was begun in {} shards, and this is {}; give --shard I/{}", shards,
                       name_of(shard), shards));
}

std::int64_t SharedWork::seed(const std::optional<std::int64_t>& given) const {
  const auto seed = whole_of(begun_.at("seed"));
  if (given && *given != seed)
    refuse(fmt::format("it was begun with seed {}, and {} is given; leave the seed out", seed,
                       *given));
  return seed;
}

void SharedWork::require_request(const Json& asked) const {
  if (asked != begun_.at("request"))
    refuse(fmt::format("{}; use the same settings as then",
                       difference_of(begun_.at("request"), asked)));
}

void SharedWork::require_key(const std::string& key, const Json& asked) const {
  const Json was{{key, begun_.at("request").value(key, Json{})}}, is{{key, asked}};
  if (was != is) refuse(fmt::format("{}; use the same settings as then", difference_of(was, is)));
}

void SharedWork::require_images(std::size_t planned, std::size_t asked) const {
  if (planned != asked)
    refuse(
        fmt::format("it was begun with {}, and this has {}; give the channels that it was begun "
                    "with",
                    images_text(planned), images_text(asked)));
}

}  // namespace synthoscope::simulator
