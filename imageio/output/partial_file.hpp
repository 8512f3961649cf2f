// SPDX-License-Identifier: MIT
// imageio/output/partial_file.hpp — a file that grows under NAME.partial and gets its name when
// whole.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include "core/base/error.hpp"
#include "core/math/content_sum.hpp"
#include "core/run/stop.hpp"
#include "imageio/output/background_allocation.hpp"
#include "imageio/output/mapped_writes.hpp"

namespace synthoscope::imageio {

/// What an earlier run left is gone, or is not what that run wrote.
struct LeftoverChanged final : InvalidSpec {
  using InvalidSpec::InvalidSpec;
};

/// An unfinished file or folder was removed, replaced or cut by others while it was written. No run
/// can resume from it.
struct OutputLost final : IoError {
  using IoError::IoError;
};

/// @throws LeftoverChanged  always: `path`.partial does not hold what an earlier run wrote.
[[noreturn]] void refuse_leftover(const std::filesystem::path& path);

/// @throws IoError  always: `what`, "file" or "folder", cannot be created for the output `path`.
[[noreturn]] void fail_to_create(const std::filesystem::path& path, const char* what, int failure);

/// @throws OutputLost  always: `part` of the unfinished output `path` `is_what`, as "was removed".
[[noreturn]] void fail_lost(const std::filesystem::path& path, const std::filesystem::path& part,
                            const char* is_what);

/// Others took the name of the result during the run. The result is whole and stays under another
/// name, so no run has to resume.
struct NameTaken final : IoError {
  using IoError::IoError;
};

/// @throws NameTaken  always: others made `path`, and the whole result stays as `written`.
[[noreturn]] void fail_appeared(const std::filesystem::path& path,
                                const std::filesystem::path& written);

/// Gives the file `written` the name `path`, which is replaced where `replace` is set.
/// @returns 0 or errno's value, EEXIST where something is there that is not to be replaced
int put_file_in_place(const std::filesystem::path& written, const std::filesystem::path& path,
                      bool replace);

/// Returns `path`.partial (without an array that `path` names), and the path of its journal,
/// which lists how much of its content is valid.
std::filesystem::path partial_path(const std::filesystem::path& path);
std::filesystem::path journal_path(const std::filesystem::path& path);

/// Returns the lock file of the processes that share a partial file (run/shared_image.hpp), and the
/// journal of share `number` of `shares`, from 1.
std::filesystem::path shares_path(const std::filesystem::path& path);
std::filesystem::path share_journal_path(const std::filesystem::path& path, std::int64_t number,
                                         std::int64_t shares);
/// Removes the journals of all shares.
void remove_share_journals(const std::filesystem::path& path);

/// What to do with the partial file of an earlier process. `share`: several processes write it.
enum class Leftover { discard, resume, share };

/// Owns the open `path`.partial until `commit`. If it is destroyed before, it removes a file that
/// it created, and keeps a file that it resumed or shares. An older file under `path` is not
/// touched before `commit`. If others replaced the partial file, theirs is neither used nor
/// removed.
class PartialFile {
 public:
  /// If a partial file is discarded, its journals are removed first, since they describe it.
  /// @throws InvalidSpec  `path` exists and `overwrite` is not set, or a partial file that this
  ///                      program did not make (leftover.hpp) would be discarded; nothing is
  ///                      created then.
  /// @throws LeftoverChanged  there is no partial file to continue.
  /// @throws IoError      the folder is missing or not writable, `path` is a folder, or another
  ///                      process is writing the same file.
  PartialFile(const std::filesystem::path& path, bool overwrite,
              Leftover leftover = Leftover::discard);
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile();

  /// Takes `bytes` of disk for the file, so that a full disk is met now and not later.
  /// @throws IoError naming the path, the need and the free space.
  void allocate(std::int64_t bytes);

  /// The same for a large file, while it is written. A disk that is too small now is met now; one
  /// that others fill meanwhile is met when bytes are written, or at the latest by `commit`. A
  /// second call, for more bytes, continues the first.
  /// @throws as allocate
  void allocate_meanwhile(std::int64_t bytes);

  /// Prepares a file of its full size for `threads` threads that write large ranges at once.
  void expect_writers(int threads);

  /// Writes all of `bytes` at `offset`. Several threads may write disjoint ranges at once.
  /// @throws IoError  @throws OutputLost  others have cut the file since.
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);

  /// Reads at most `out.size()` bytes at `offset`; fewer only at the end. @throws IoError
  std::size_t read_some(std::int64_t offset, std::span<std::byte> out) const;

  [[nodiscard]] std::int64_t size() const;

  /// Drops everything from byte `bytes` on. @throws IoError
  void truncate(std::int64_t bytes);

  /// To be called after a library wrote the file by its name: its size now is the one to keep.
  /// @throws IoError
  void accept_size() { least_bytes_ = size(); }

  /// Waits until everything written outlives a power loss. @throws IoError
  void sync();

  /// Returns whether the partial file stays when this goes without `commit`. One that is shared
  /// does.
  void keep(bool is_kept) noexcept { kept_ = is_kept || leftover_ == Leftover::share; }

  /// Flushes the file to disk, renames it to its final name and flushes the folder. If another
  /// program has created a file of that name meanwhile, and `overwrite` is not set, both that file
  /// and the whole partial file remain.
  /// @throws IoError
  /// @throws OutputLost  another program has cut, removed or replaced the file.
  void commit();

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Throws the reason why writing failed; `errno_value` 0 means a short write.
  [[noreturn]] void fail(int errno_value, std::int64_t needed_bytes) const;

 private:
  void lock();
  void empty();
  void require_not_cut() const;
  void require_space(std::int64_t bytes) const;
  void require_allocated();

  std::filesystem::path path_, partial_;
  bool overwrite_;
  Leftover leftover_;
  int descriptor_ = -1;
  bool committed_ = false, kept_;
  bool is_whole_ = false;                     ///< and has no name, because others took it
  std::atomic<std::int64_t> least_bytes_{0};  ///< that the file has, by what was done here
  std::int64_t wanted_bytes_ = 0;             ///< of `allocation_`
  std::unique_ptr<BackgroundAllocation> allocation_;
  std::unique_ptr<MappedWrites> mapping_;  ///< where it is faster than write_bytes
};

/// A file whose space is being taken, and whose content is not known yet.
struct BegunFile {
  std::unique_ptr<PartialFile> file;
};

/// The sum of the bytes from `begin` to `end`, or to the end of the file. @throws IoError
/// @throws Interrupted  `stop` was requested.
ContentSum sum_of_file(const PartialFile& file, std::int64_t begin, std::int64_t end,
                       const StopFlag* stop = nullptr);

/// Throws the reason why writing `path` failed, with the bytes needed and the bytes free.
/// `errno_value` 0 means a short write. @throws IoError  always
[[noreturn]] void fail_write(const std::filesystem::path& path, int errno_value,
                             std::int64_t needed_bytes);

/// Makes the names in the folder of `path` survive a power loss. @returns 0 or errno's value.
int sync_folder_of(const std::filesystem::path& path);

/// @throws InvalidSpec  `path` exists and `overwrite` is not set: for callers that will write
///                      several files and want to be refused before the first.
/// @throws IoError      `path` is a folder.
void refuse_existing(const std::filesystem::path& path, bool overwrite);

}  // namespace synthoscope::imageio
