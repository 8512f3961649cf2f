// SPDX-License-Identifier: MIT
#include "imageio/output/lock_file.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_lock(const fs::path& path, int failure) {
  fail_write(path, failure, 0);
}

int open_lock_file(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) fail_to_lock(path, errno);
  return descriptor;
}

}  // namespace

LockFile::LockFile(fs::path path) : path_{std::move(path)} {
  // Whoever was inside may have removed the file that was opened here
  for (;;) {
    descriptor_ = open_lock_file(path_);
    int failure = 0;
    do failure = ::flock(descriptor_, LOCK_EX) == 0 ? 0 : errno;
    while (failure == EINTR);
    if (failure == 0 && is_named(descriptor_, path_)) return;
    ::close(descriptor_);
    if (failure != 0) fail_to_lock(path_, failure);
  }
}

LockFile::~LockFile() {
  struct stat status {};
  const bool is_empty = ::fstat(descriptor_, &status) == 0 && status.st_size == 0;
  if (is_empty && is_named(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

std::string LockFile::text() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_to_lock(path_, errno);
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const Moved got = read_bytes(descriptor_, 0, std::as_writable_bytes(std::span{text}));
  if (got.errno_value != 0) fail_to_lock(path_, got.errno_value);
  return text;
}

void LockFile::write(std::string_view text) {
  if (::ftruncate(descriptor_, 0) != 0) fail_to_lock(path_, errno);
  const Moved written = write_bytes(descriptor_, 0, std::as_bytes(std::span{text}));
  if (written.bytes < text.size()) fail_to_lock(path_, written.errno_value);
  if (::fsync(descriptor_) != 0) fail_to_lock(path_, errno);
}

void LockFile::remove() const {
  ::unlink(path_.c_str());
}

}  // namespace synthoscope::imageio
