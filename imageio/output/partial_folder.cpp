// SPDX-License-Identifier: MIT
#include "imageio/output/partial_folder.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/output/leftover.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

bool may_be_replaced(const fs::path& path, const KnownNames& known) {
  const auto status = fs::symlink_status(path);
  return !fs::exists(status) || (fs::is_directory(status) && foreign_name(path, known).empty());
}

int rename_with(const fs::path& from, const fs::path& to, unsigned how) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), how) == 0 ? 0 : errno;
}

bool is_unknown_here(int failure) {
  return failure == EINVAL || failure == ENOSYS;  // the file system renames in the plain way alone
}

/// One name after the other; the older folder keeps a name until the new one has its own.
int rename_in_steps(const fs::path& partial, const fs::path& path, bool replace) {
  const fs::path aside = path.string() + ".older";
  const bool is_older = fs::exists(fs::symlink_status(path));
  if (is_older && !replace) return EEXIST;
  if (is_older && std::rename(path.c_str(), aside.c_str()) != 0) return errno;
  const int failure = std::rename(partial.c_str(), path.c_str()) == 0 ? 0 : errno;
  std::error_code ignored;
  if (is_older && failure != 0) fs::rename(aside, path, ignored);
  if (is_older && failure == 0) fs::remove_all(aside, ignored);
  return failure;
}

int rename_over(const fs::path& partial, const fs::path& path, bool replace) {
  const int failure = rename_with(partial, path, RENAME_NOREPLACE);
  if (is_unknown_here(failure)) return rename_in_steps(partial, path, replace);
  if (failure != EEXIST || !replace) return failure;
  mark_folder(path);  // a kill would leave it under the name of the partial folder
  const int not_exchanged = rename_with(partial, path, RENAME_EXCHANGE);
  if (is_unknown_here(not_exchanged)) return rename_in_steps(partial, path, replace);
  std::error_code ignored;
  if (not_exchanged == 0) fs::remove_all(partial, ignored);
  return not_exchanged;
}

/// 0 where it cannot be told.
std::int64_t bytes_of_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

}  // namespace

std::string foreign_name(const fs::path& folder, const KnownNames& known) {
  constexpr std::string_view kPart = ".partial";
  for (const auto& entry : fs::recursive_directory_iterator{folder}) {
    const std::string path = entry.path().lexically_relative(folder).string();
    if (fs::is_directory(entry.symlink_status())) {
      if (!known(path + "/")) return path;
      continue;
    }
    const bool is_part = path.ends_with(kPart) && known(path.substr(0, path.size() - kPart.size()));
    if (!fs::is_regular_file(entry.symlink_status()) || !(is_part || known(path))) return path;
  }
  return {};
}

void require_replaceable_folder(const fs::path& path, bool overwrite, const KnownNames& known) {
  std::error_code ignored;
  const auto status = fs::symlink_status(path, ignored);
  if (!fs::exists(status)) return;
  if (!overwrite)
    throw InvalidSpec(fmt::format(
        "write {}: it exists already; choose another name or replace it with --overwrite",
        path.string()));
  if (!fs::is_directory(status))
    throw InvalidSpec(
        fmt::format("write {}: it is not a folder; choose another name", path.string()));
  if (const auto name = foreign_name(path, known); !name.empty())
    throw InvalidSpec(
        fmt::format("write {}: it holds {}, which --overwrite would remove and which is not part "
                    "of such an image; choose another name",
                    path.string(), name));
}

int put_folder_in_place(const fs::path& partial, const fs::path& path, bool replace,
                        const KnownNames& known) {
  if (replace && !may_be_replaced(path, known)) return EEXIST;
  const int failure = rename_over(partial, path, replace);
  if (failure != 0) return failure;
  // A folder that cannot be opened for reading can take new names
  const int unsynced = sync_folder_of(path);
  return unsynced == EACCES ? 0 : unsynced;
}

PartialFolder::PartialFolder(fs::path path, bool overwrite, Leftover leftover, KnownNames known)
    : path_{std::move(path)},
      partial_{partial_path(path_)},
      overwrite_{overwrite},
      leftover_{leftover},
      known_{std::move(known)},
      kept_{leftover != Leftover::discard},
      are_many_{leftover != Leftover::discard} {
  require_replaceable_folder(path_, overwrite, known_);
  const bool is_new = leftover_ == Leftover::discard;
  if (is_new) require_leftover_is_ours(path_, /*is_folder=*/true);
  if (is_new && ::mkdir(partial_.c_str(), kUnfinishedMode | 0777) != 0 && errno != EEXIST)
    fail_to_create(path_, "folder", errno);
  descriptor_ = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int failure = errno;
    if (failure == ENOENT && !is_new)
      throw LeftoverChanged(fmt::format("resume {}: {} is gone; start over without --resume",
                                        path_.string(), partial_.string()));
    throw IoError(fmt::format("write {}: {} cannot be opened ({}); {}", path_.string(),
                              partial_.string(), cause_of(failure),
                              remedy_of(failure, "choose another name")));
  }
  try {
    lock();
    if (is_new) empty();
  } catch (...) {
    ::close(descriptor_);  // the partial folder belongs to the other process
    throw;
  }
}

void PartialFolder::lock() {
  // Whoever held the lock may have renamed the folder that was opened here: then it is theirs
  const int how = leftover_ == Leftover::share ? LOCK_SH : LOCK_EX;
  const bool is_locked = ::flock(descriptor_, how | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!is_locked || !is_named(descriptor_, partial_))
    throw IoError(
        fmt::format("write {}: another process is writing it; wait for it or choose another name",
                    path_.string()));
}

/// Journals go first: at no moment do they speak of content that is not there.
void PartialFolder::empty() const {
  if (const auto name = foreign_name(partial_, known_); !name.empty())
    throw InvalidSpec(
        fmt::format("write {}: {} is in the way and holds {}, which is not part of such an image; "
                    "choose another name",
                    path_.string(), partial_.string(), name));
  ::unlink(journal_path(path_).c_str());
  remove_share_journals(path_);
  [[maybe_unused]] const int may_fail = ::truncate(shares_path(path_).c_str(), 0);  // may be locked
  for (const auto& entry : fs::directory_iterator{partial_}) fs::remove_all(entry.path());
  mark(descriptor_);  // one that was there
}

PartialFolder::~PartialFolder() {
  if (!committed_ && !kept_ && !is_whole_) {
    std::error_code ignored;
    ::unlink(journal_path(path_).c_str());
    ::unlink(shares_path(path_).c_str());
    if (is_named(descriptor_, partial_)) fs::remove_all(partial_, ignored);
  }
  ::close(descriptor_);
}

int PartialFolder::open_file(const std::string& name, int flags) const {
  const fs::path path = partial_ / name;
  const auto open = [&] {
    return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
  };
  int descriptor = open();
  if (descriptor < 0 && errno == ENOENT && (flags & O_CREAT) == 0)
    fail_lost(path_, path, "was removed");
  if (descriptor < 0 && errno == ENOENT) {
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (failure) fail(failure.value(), 0);
    descriptor = open();
  }
  if (descriptor < 0) fail(errno, 0);
  return descriptor;
}

void PartialFolder::write_file(const std::string& name, std::span<const std::byte> bytes) {
  put(name, static_cast<std::int64_t>(bytes.size()), 0, bytes, O_CREAT | O_TRUNC, false);
}

void PartialFolder::write_part(const std::string& name, std::int64_t size, std::int64_t offset,
                               std::span<const std::byte> bytes, bool is_there) {
  put(name, size, offset, bytes, is_there ? 0 : O_CREAT, is_there);
}

void PartialFolder::require_size(const std::string& name, std::int64_t size) const {
  const fs::path path = partial_ / name;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) fail_lost(path_, path, "was removed");
  if (!S_ISREG(status.st_mode) || status.st_size != size)
    fail_lost(path_, path, "was cut or replaced");
}

void PartialFolder::put(const std::string& name, std::int64_t size, std::int64_t offset,
                        std::span<const std::byte> bytes, int flags, bool is_there) {
  remember(name);
  const int descriptor = open_file(name, flags);
  if (is_there && bytes_of_file(descriptor) < size) {
    ::close(descriptor);
    fail_lost(path_, partial_ / name, "was cut");
  }
  const Moved written = write_bytes(descriptor, offset, bytes);
  int failure =
      written.bytes < bytes.size() && written.errno_value == 0 ? ENOSPC : written.errno_value;
  struct stat status {};
  if (failure == 0 && ::fstat(descriptor, &status) != 0) failure = errno;
  if (failure == 0 && status.st_size < size && ::ftruncate(descriptor, size) != 0) failure = errno;
  ::close(descriptor);
  if (failure != 0) fail(failure, static_cast<std::int64_t>(bytes.size()));
}

void PartialFolder::require_room(std::int64_t bytes) const {
  struct statvfs disk {};
  if (::fstatvfs(descriptor_, &disk) == 0 &&
      disk.f_bavail < static_cast<std::uint64_t>(bytes) / disk.f_frsize)
    fail(ENOSPC, bytes);
}

void PartialFolder::remember(const std::string& name) {
  constexpr std::size_t kFew = 256;
  const std::lock_guard lock{mutex_};
  if (are_many_) return;
  unsynced_.insert(name);
  are_many_ = unsynced_.size() > kFew;
}

/// A call for each of few files and their folders; of many one for all of the disk, which may have
/// to wait for what others write, but does not take its time for every chunk.
void PartialFolder::sync() {
  const std::lock_guard lock{mutex_};
  if (are_many_) {
    if (::syncfs(descriptor_) != 0) fail(errno, 0);
  } else {
    std::set<fs::path> folders{partial_};
    for (const std::string& name : unsynced_) {
      sync_one(partial_ / name);
      for (fs::path folder = fs::path{name}.parent_path(); !folder.empty();
           folder = folder.parent_path())
        folders.insert(partial_ / folder);
    }
    for (const fs::path& folder : folders) sync_one(folder);
  }
  unsynced_.clear();
  are_many_ = leftover_ != Leftover::discard;
}

void PartialFolder::sync_one(const fs::path& path) const {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  const bool is_synced = descriptor >= 0 && (::fsync(descriptor) == 0 || errno == EINVAL);
  const int failure = is_synced ? 0 : errno;
  if (descriptor >= 0) ::close(descriptor);
  if (failure != 0) fail(failure, 0);
}

void PartialFolder::commit() {
  sync();
  if (!is_named(descriptor_, partial_)) fail_lost(path_, partial_, "was removed or replaced");
  is_whole_ = true;
  const int failure = put_folder_in_place(partial_, path_, overwrite_, known_);
  is_whole_ = failure == EEXIST;
  if (is_whole_) fail_appeared(path_, partial_);
  if (failure != 0) fail(failure, 0);
  committed_ = true;
  unmark(descriptor_);
  if (leftover_ != Leftover::share) ::unlink(shares_path(path_).c_str());
  ::flock(descriptor_, LOCK_UN);
}

void PartialFolder::fail(int errno_value, std::int64_t needed_bytes) const {
  fail_write(path_, errno_value, needed_bytes);
}

}  // namespace synthoscope::imageio
