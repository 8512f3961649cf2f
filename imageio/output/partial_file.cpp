// SPDX-License-Identifier: MIT
#include "imageio/output/partial_file.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/leftover.hpp"

namespace synthoscope::imageio {
namespace {

constexpr const char* kWritable = "choose a folder that is writable";

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path{"."};
}

std::string free_space(const fs::path& folder) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return "an unknown amount";
  return print_bytes(static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize));
}

}  // namespace

/// Renames without replacing where the file system can; elsewhere a race of two writers is lost
/// by the older one.
int put_file_in_place(const fs::path& written, const fs::path& path, bool replace) {
  if (!replace) {
    if (::renameat2(AT_FDCWD, written.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
      return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored))) return EEXIST;
  }
  return ::rename(written.c_str(), path.c_str()) == 0 ? 0 : errno;
}

/// File systems without folder sync answer EINVAL.
int sync_folder_of(const fs::path& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int failure = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  return failure;
}

void refuse_existing(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  const auto status = fs::symlink_status(path, ignored);
  if (fs::is_directory(path, ignored))
    throw IoError(
        fmt::format("write {}: it is a folder; give the name of a file in it", path.string()));
  // A rename would put a file where a device, a pipe or a socket was
  const auto target = fs::status(path, ignored);
  if (fs::exists(target) && !fs::is_regular_file(target))
    throw IoError(fmt::format(
        "write {}: it is a device, a pipe or a socket; give the name of a file", path.string()));
  if (fs::exists(status) && !overwrite)
    throw InvalidSpec(fmt::format(
        "write {}: it exists already; choose another name or replace it with --overwrite",
        path.string()));
}

fs::path partial_path(const fs::path& path) {
  return file_of(path) += ".partial";
}

fs::path journal_path(const fs::path& path) {
  return partial_path(path) += ".journal";
}

fs::path shares_path(const fs::path& path) {
  return partial_path(path) += ".shares";
}

fs::path share_journal_path(const fs::path& path, std::int64_t number, std::int64_t shares) {
  return partial_path(path) += fmt::format(".share-{}-of-{}.journal", number, shares);
}

void remove_share_journals(const fs::path& path) {
  std::error_code ignored;
  // Whoever shares a file opens this lock file first; a set of many files is not searched for each
  if (!fs::exists(shares_path(path), ignored)) return;
  const std::string begin = partial_path(path).filename().string() + ".share-";
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{folder_of(partial_path(path)), ignored})
    if (entry.path().filename().string().starts_with(begin)) found.push_back(entry.path());
  for (const fs::path& journal : found) fs::remove(journal, ignored);
}

PartialFile::PartialFile(const fs::path& path, bool overwrite, Leftover leftover)
    : path_{path},
      partial_{partial_path(path)},
      overwrite_{overwrite},
      leftover_{leftover},
      kept_{leftover != Leftover::discard} {
  refuse_existing(path_, overwrite_);
  const bool is_new = leftover == Leftover::discard;
  if (is_new) require_leftover_is_ours(path_, /*is_folder=*/false);
  descriptor_ = ::open(partial_.c_str(), O_RDWR | (is_new ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW,
                       kUnfinishedMode | 0666);
  if (descriptor_ < 0) {
    const int failure = errno;
    if (failure == ENOENT && !is_new)
      throw LeftoverChanged(fmt::format("resume {}: {} is gone; start over without --resume",
                                        path_.string(), partial_.string()));
    fail_to_create(path_, "file", failure);
  }
  try {
    lock();
    if (is_new) empty();
    accept_size();
  } catch (...) {
    ::close(descriptor_);  // the partial file belongs to the other process
    throw;
  }
}

void fail_to_create(const fs::path& path, const char* what, int failure) {
  const std::string folder = folder_of(path).string();
  if (failure == ENOENT)
    throw IoError(
        fmt::format("write {}: the folder {} does not exist; create it, or choose another",
                    path.string(), folder));
  throw IoError(fmt::format("write {}: no {} can be created in the folder {} ({}); {}",
                            path.string(), what, folder, cause_of(failure),
                            remedy_of(failure, kWritable)));
}

void PartialFile::lock() {
  // Whoever held the lock may have renamed the file that was opened here: then it is theirs
  const int how = leftover_ == Leftover::share ? LOCK_SH : LOCK_EX;
  const bool is_locked = ::flock(descriptor_, how | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!is_locked || !is_named(descriptor_, partial_))
    throw IoError(
        fmt::format("write {}: another process is writing it; wait for it or choose "
                    "another name",
                    path_.string()));
}

/// Journals go first: at no moment do they speak of content that is not there.
void PartialFile::empty() {
  ::unlink(journal_path(path_).c_str());
  remove_share_journals(path_);
  [[maybe_unused]] const int may_fail = ::truncate(shares_path(path_).c_str(), 0);  // may be locked
  truncate(0);
  mark(descriptor_);  // one that was there
}

PartialFile::~PartialFile() {
  allocation_.reset();
  if (!committed_ && !kept_ && !is_whole_) {
    ::unlink(journal_path(path_).c_str());
    ::unlink(shares_path(path_).c_str());
    if (is_named(descriptor_, partial_)) ::unlink(partial_.c_str());
  }
  ::close(descriptor_);
}

void PartialFile::allocate(std::int64_t bytes) {
  if (bytes <= 0) return;
  const int failure = allocate_bytes(descriptor_, 0, bytes);
  if (failure == 0) return accept_size();
  if (failure != EOPNOTSUPP && failure != ENOSYS) fail(failure, bytes);
  // No reservation on this file system: at least the size and the free space can be checked
  if (::ftruncate(descriptor_, bytes) != 0) fail(errno, bytes);
  require_space(bytes);
  accept_size();
}

void PartialFile::require_space(std::int64_t bytes) const {
  struct statvfs disk {};
  if (::fstatvfs(descriptor_, &disk) == 0 &&
      disk.f_bavail < static_cast<std::uint64_t>(bytes) / disk.f_frsize)
    fail(ENOSPC, bytes);
}

void PartialFile::allocate_meanwhile(std::int64_t bytes) {
  constexpr std::int64_t kAtOnce = std::int64_t{16} << 20;
  if (allocation_) {
    if (const int failure = allocate_bytes(descriptor_, wanted_bytes_, bytes - wanted_bytes_))
      fail(failure, bytes);
    return accept_size();
  }
  if (bytes <= kAtOnce || allocate_bytes(descriptor_, 0, kAtOnce) != 0) return allocate(bytes);
  if (::ftruncate(descriptor_, bytes) != 0) fail(errno, bytes);
  require_space(bytes - kAtOnce);
  wanted_bytes_ = bytes;
  try {
    allocation_ = std::make_unique<BackgroundAllocation>(descriptor_, kAtOnce, bytes);
  } catch (const std::system_error&) {  // no more threads
    return allocate(bytes);
  }
  accept_size();
}

void PartialFile::require_allocated() {
  if (!allocation_) return;
  const int failure = allocation_->wait();
  allocation_.reset();
  if (failure != 0) fail(failure, wanted_bytes_);
}

void PartialFile::require_not_cut() const {
  const std::int64_t least = least_bytes_;
  if (size() < least) fail_lost(path_, partial_, "was cut");
}

void PartialFile::expect_writers(int threads) {
  if (threads >= MappedWrites::kMinThreads) mapping_ = MappedWrites::of(descriptor_, size());
}

/// A hole that others cut would read as zeros once later bytes are written.
void PartialFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  require_not_cut();
  if (allocation_ && allocation_->failure() != 0) fail(allocation_->failure(), wanted_bytes_);
  constexpr std::size_t kLargeBytes = std::size_t{64} << 10;
  const bool is_written = mapping_ && bytes.size() >= kLargeBytes && mapping_->write(offset, bytes);
  const Moved written = is_written ? Moved{bytes.size()} : write_bytes(descriptor_, offset, bytes);
  if (written.bytes < bytes.size())
    fail(written.errno_value, static_cast<std::int64_t>(bytes.size()));
  const std::int64_t end = offset + static_cast<std::int64_t>(bytes.size());
  for (std::int64_t least = least_bytes_; least < end;)
    if (least_bytes_.compare_exchange_weak(least, end)) break;
}

std::size_t PartialFile::read_some(std::int64_t offset, std::span<std::byte> out) const {
  const Moved got = read_bytes(descriptor_, offset, out);
  if (got.errno_value != 0) fail(got.errno_value, 0);
  return got.bytes;
}

std::int64_t PartialFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(errno, 0);
  return status.st_size;
}

void PartialFile::truncate(std::int64_t bytes) {
  require_allocated();
  mapping_.reset();
  if (::ftruncate(descriptor_, bytes) != 0) fail(errno, 0);
  least_bytes_ = bytes;
}

void PartialFile::sync() {
  require_allocated();
  if (::fdatasync(descriptor_) != 0) fail(errno, 0);
}

void PartialFile::commit() {
  require_allocated();
  if (::fsync(descriptor_) != 0) fail(errno, 0);
  require_not_cut();
  if (!is_named(descriptor_, partial_)) fail_lost(path_, partial_, "was removed or replaced");
  const int failure = put_file_in_place(partial_, path_, overwrite_);
  is_whole_ = failure == EEXIST;
  if (is_whole_) fail_appeared(path_, partial_);
  if (failure != 0) fail(failure, 0);
  committed_ = true;
  unmark(descriptor_);
  if (leftover_ != Leftover::share) ::unlink(shares_path(path_).c_str());
  ::flock(descriptor_, LOCK_UN);  // readers that lock need not wait until this goes
  if (const int unsynced = sync_folder_of(path_)) fail(unsynced, 0);
}

void PartialFile::fail(int errno_value, std::int64_t needed_bytes) const {
  fail_write(path_, errno_value, needed_bytes);
}

ContentSum sum_of_file(const PartialFile& file, std::int64_t begin, std::int64_t end,
                       const StopFlag* stop) {
  constexpr std::int64_t kPiece = std::int64_t{1} << 18;
  ContentSum sum;
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(std::clamp<std::int64_t>(end - begin, 0, kPiece)));
  for (std::int64_t at = begin; at < end; at += kPiece) {
    if (stop) stop->check();
    const auto part = std::span{bytes}.first(static_cast<std::size_t>(std::min(kPiece, end - at)));
    sum.add(at, part.first(file.read_some(at, part)));
  }
  return sum;
}

void refuse_leftover(const fs::path& path) {
  throw LeftoverChanged(fmt::format(
      "resume {}: {} does not hold what an earlier run wrote; start over without --resume",
      path.string(), partial_path(path).string()));
}

void fail_appeared(const fs::path& path, const fs::path& written) {
  throw NameTaken(fmt::format(
      "write {}: another program created it during the run, and it is not replaced; the complete "
      "result stays as {}: rename that, since a later run with this name discards it",
      path.string(), written.string()));
}

void fail_lost(const fs::path& path, const fs::path& part, const char* is_what) {
  throw OutputLost(
      fmt::format("write {}: {} {} while it was written; keep other programs from changing it, and "
                  "run the command again",
                  path.string(), part.string(), is_what));
}

void fail_write(const fs::path& path, int errno_value, std::int64_t needed_bytes) {
  std::string found = cause_of(errno_value);
  if (needed_bytes > 0) found += fmt::format("; {} are needed", print_bytes(needed_bytes));
  if (is_full(errno_value))
    found += fmt::format("{} {} are free in {}", needed_bytes > 0 ? " and" : ";",
                         free_space(folder_of(path)), folder_of(path).string());
  throw IoError(
      fmt::format("write {}: {}; {}", path.string(), found, remedy_of(errno_value, kWritable)));
}

}  // namespace synthoscope::imageio
