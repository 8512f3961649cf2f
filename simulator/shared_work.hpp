// SPDX-License-Identifier: MIT
// simulator/shared_work.hpp — what the first of several processes decided for all, and whether
// those who come later want the same.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include "core/json_fwd.hpp"
#include "core/shard.hpp"
#include "imageio/door_file.hpp"

namespace synthoscope::simulator {

/// What is written on the door: an object with "shards", "seed" and "request", and what else the
/// first process wants the others to know. Nothing where nobody has come in; a record that was cut
/// off by the end of its process is none.
std::optional<Json> begun_at(const imageio::DoorFile& door);

/// Compares what is asked of a process with what others began. All throw InvalidSpec, which says
/// what differs and how to begin anew.
class SharedWork {
 public:
  /// @param output  the folder that is made together  @param begun  begun_at
  SharedWork(const std::filesystem::path& output, const std::filesystem::path& door,
             const Json& begun)
      : output_{output}, door_{door}, begun_{begun} {}

  void require_shards(const Shard& shard) const;

  /// The seed that it was begun with; `given` must be the same.
  [[nodiscard]] std::int64_t seed(const std::optional<std::int64_t>& given) const;

  void require_request(const Json& asked) const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;

  const std::filesystem::path &output_, &door_;
  const Json& begun_;
};

}  // namespace synthoscope::simulator
