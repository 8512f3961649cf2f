// SPDX-License-Identifier: MIT
// imageio/run/shared_image.hpp — one image file written by several processes, on one machine or
// several: each writes its own boxes and keeps its own journal.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "imageio/output/lock_file.hpp"

namespace synthoscope::imageio {

/// What the process that began a shared file decided for all.
struct SharedRun {
  std::string request;       ///< JSON object of what is to be done, inputs included
  std::string plan;          ///< how; as the caller wrote it
  std::string file;          ///< what ImageFile::checkpoint returned before the first voxel
  std::int64_t shares = 0;   ///< how many processes take part
  std::int64_t steps = 0;    ///< that they share
  bool has_name = false;     ///< all shares are done; only later work is missing
  std::string command = {};  ///< JSON: what was typed, and in which folder
};

/// The lock to a shared file: OUTPUT.partial.shares, which says what was begun. One process at a
/// time holds it; others wait.
class SharedFileLock {
 public:
  /// Waits for the lock. @throws IoError
  explicit SharedFileLock(const std::filesystem::path& output);

  /// Returns the file that was started; nothing if none was, or if it has been removed since.
  /// @throws InvalidSpec  another version or another program wrote the lock file.
  [[nodiscard]] std::optional<SharedRun> begun() const;

  /// To be called once the partial file is laid out. @throws IoError
  void begin(const SharedRun& run);

  /// Removes the lock file and the journals; the file is whole.
  void finish();

 private:
  [[nodiscard]] std::optional<SharedRun> run_in(const Json& json) const;

  std::filesystem::path output_;
  LockFile lock_;
};

/// Keeps others from doing the same share while it is there.
class ShareLock {
 public:
  /// @throws IoError  another process does this share, or the folder is not writable.
  ShareLock(const std::filesystem::path& output, std::int64_t number, std::int64_t shares);
  ShareLock(const ShareLock&) = delete;
  ShareLock& operator=(const ShareLock&) = delete;
  ~ShareLock();

 private:
  int descriptor_ = -1;
};

/// What ImageFile::checkpoint would have returned to one process that had written all shares.
/// @throws InvalidSpec   they are not states of one file.
/// @throws InvalidInput  one is broken.
std::string joined_states(const std::filesystem::path& output,
                          const std::vector<std::string>& states);

}  // namespace synthoscope::imageio
