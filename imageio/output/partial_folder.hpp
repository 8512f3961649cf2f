// SPDX-License-Identifier: MIT
// imageio/output/partial_folder.hpp — a folder that grows under NAME.partial and gets its name when
// whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// Whether the writer of a folder gives a file this relative path, or a folder if it ends in "/".
using KnownNames = std::function<bool(const std::string&)>;

/// Returns the first relative path in `folder` that is neither known nor an unfinished part
/// (".partial") of a known one; empty if there is none. Links are never known.
std::string foreign_name(const std::filesystem::path& folder, const KnownNames& known);

/// @throws InvalidSpec  something is at `path`, and `overwrite` is not set, or it is no folder that
///                      holds `known` names alone.
void require_replaceable_folder(const std::filesystem::path& path, bool overwrite,
                                const KnownNames& known);

/// Gives the folder `partial` the name `path`. If `replace` is set, it replaces an older folder
/// that holds `known` names alone, in one step if the file system can do it. Waits until the names
/// survive a power loss.
/// @returns 0 or errno's value, EEXIST if something is there that must not be replaced
int put_folder_in_place(const std::filesystem::path& partial, const std::filesystem::path& path,
                        bool replace, const KnownNames& known);

/// Owns `path`.partial until `commit`, as PartialFile owns a file. An older folder under `path` is
/// not touched before, and only replaced if it holds `known` names alone.
class PartialFolder {
 public:
  /// @throws InvalidSpec  `path` exists and `overwrite` is not set, or is a file or holds files of
  ///                      others.
  /// @throws LeftoverChanged  there is no partial folder to continue.
  /// @throws IoError      the folder around it is missing or not writable, or another process is
  ///                      writing the same.
  PartialFolder(std::filesystem::path path, bool overwrite, Leftover leftover, KnownNames known);
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;
  ~PartialFolder();

  /// Makes a file of these bytes, and the folders that it lies in. Several threads may do it at
  /// once. @throws IoError
  void write_file(const std::string& name, std::span<const std::byte> bytes);

  /// The same for a part of a file that has `size` bytes in all, zeros where nothing was written.
  /// Other processes may write other parts. `is_there`: a part of it was written before.
  /// @throws IoError  @throws OutputLost  the file is not there, though it was, or was cut.
  void write_part(const std::string& name, std::int64_t size, std::int64_t offset,
                  std::span<const std::byte> bytes, bool is_there);

  /// @throws OutputLost  the file has not `size` bytes, or is gone.
  void require_size(const std::string& name, std::int64_t size) const;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return partial_ / name;
  }

  /// Refuses now what could not be written later. @throws IoError  the disk has not so much room.
  void require_room(std::int64_t bytes) const;

  /// Waits until all that was written outlives a power loss. @throws IoError
  void sync();

  void keep(bool is_kept) noexcept { kept_ = is_kept || leftover_ == Leftover::share; }

  /// Flushes all files and renames the folder to its final name. If another program has created a
  /// file or folder of that name meanwhile that must not be replaced, both it and the whole partial
  /// folder remain.
  /// @throws IoError  @throws NameTaken
  /// @throws OutputLost  another program has removed or replaced the folder.
  void commit();

 private:
  void lock();
  void empty() const;
  [[nodiscard]] int open_file(const std::string& name, int flags) const;
  void put(const std::string& name, std::int64_t size, std::int64_t offset,
           std::span<const std::byte> bytes, int flags, bool is_there);
  void remember(const std::string& name);
  void sync_one(const std::filesystem::path& path) const;
  [[noreturn]] void fail(int errno_value, std::int64_t needed_bytes) const;

  std::filesystem::path path_, partial_;
  bool overwrite_;
  Leftover leftover_;
  KnownNames known_;
  int descriptor_ = -1;
  bool committed_ = false, kept_;
  bool is_whole_ = false;  ///< and has no name, because others took it
  std::mutex mutex_;
  std::set<std::string> unsynced_;  ///< names of files, up to a limit
  bool are_many_;                   ///< there are more, or some that an earlier process wrote
};

}  // namespace synthoscope::imageio
