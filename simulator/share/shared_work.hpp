// SPDX-License-Identifier: MIT
// simulator/share/shared_work.hpp — what the first of several processes decided for all, and
// whether later ones want the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include "core/base/json.hpp"
#include "core/volume/shard.hpp"
#include "imageio/output/lock_file.hpp"

namespace synthoscope::simulator {

/// Returns the record in the lock file: an object with "shards", "seed" and "request", which is
/// what scene.json would say, and what else the first process wants the others to know. Nothing if
/// no process has begun, or if the end of its process cut the record off.
/// @throws InvalidSpec  another version wrote it, or no simulation did.
std::optional<Json> begun_at(const imageio::LockFile& lock);

/// @throws InvalidSpec  always: no simulation writes such a record into the lock file.
[[noreturn]] void refuse_lock_file(const std::filesystem::path& lock);

/// Returns what `read` finds in a record of begun_at. @throws InvalidSpec  it does not find it.
template <class Read>
auto read_begun(const std::filesystem::path& lock, Read read) {
  try {
    return read();
  } catch (const Json::exception&) {
    refuse_lock_file(lock);
  } catch (const std::out_of_range&) {
    refuse_lock_file(lock);
  }
}

/// Work that several processes share, to compare with what one is asked for. All functions throw
/// InvalidSpec, which says what differs and how to begin anew.
class SharedWork {
 public:
  /// @param output  the folder that is made together
  /// @param begun   from begun_at
  SharedWork(const std::filesystem::path& output, const std::filesystem::path& lock,
             const Json& begun)
      : output_{output}, lock_{lock}, begun_{begun} {}

  void require_shards(const Shard& shard) const;

  /// Returns the seed that the work was begun with; `given` must be the same.
  [[nodiscard]] std::int64_t seed(const std::optional<std::int64_t>& given) const;

  void require_request(const Json& asked) const;

  /// Compares one key of the request, before all of what is asked is known.
  void require_key(const std::string& key, const Json& asked) const;

  /// Requires as many images per frame as were planned.
  void require_images(std::size_t planned, std::size_t asked) const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;

  const std::filesystem::path &output_, &lock_;
  const Json& begun_;
};

}  // namespace synthoscope::simulator
