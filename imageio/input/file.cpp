// SPDX-License-Identifier: MIT
#include "imageio/input/file.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/input/read_digest.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kSmallestWindow = 128 << 10;  ///< read-ahead of a disk that nobody tuned

[[noreturn]] void refuse(const std::filesystem::path& path, int errno_value) {
  if (errno_value == ENOENT || errno_value == ENOTDIR)
    throw IoError(fmt::format("open {}: there is no such file; check the name", path.string()));
  throw IoError(fmt::format("open {}: it cannot be read ({}); {}", path.string(),
                            cause_of(errno_value),
                            remedy_of(errno_value, "check its permissions")));
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, ReadDigests* digests) : path_{path} {
  // A pipe must not block before it is seen to be one
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) refuse(path, errno);
  struct stat status {};
  const int failure = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (failure == 0 && S_ISREG(status.st_mode)) {
    size_ = status.st_size;
    if (digests) digest_ = digests->of(path, size_);
    return;
  }
  ::close(descriptor_);
  if (failure != 0) refuse(path, failure);
  throw IoError(fmt::format("open {}: it is {}; give the name of a file", path.string(),
                            S_ISDIR(status.st_mode) ? "a folder" : "not a regular file"));
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_{std::move(other.path_)},
      descriptor_{std::exchange(other.descriptor_, -1)},
      size_{other.size_},
      digest_{std::move(other.digest_)} {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::expect(std::int64_t offset, std::int64_t bytes) const {
  // Linux brings in no more than one read-ahead window a call and forgets the rest. The system
  // takes it as advice; where it does not, the later read waits as it would have
  for (std::int64_t at = 0; at < bytes; at += kSmallestWindow)
    ::posix_fadvise(descriptor_, offset + at, std::min(kSmallestWindow, bytes - at),
                    POSIX_FADV_WILLNEED);
}

std::size_t InputFile::read_some(std::int64_t offset, std::span<std::byte> out) const {
  const Moved got = read_bytes(descriptor_, offset, out);
  if (got.errno_value != 0)
    throw IoError(fmt::format("read {}: {} at byte {}; {} and try again", path_.string(),
                              cause_of(got.errno_value),
                              offset + static_cast<std::int64_t>(got.bytes),
                              remedy_of(got.errno_value, "check the disk")));
  if (digest_) digest_->add(offset, out.first(got.bytes));
  return got.bytes;
}

void InputFile::read_at(std::int64_t offset, std::span<std::byte> out) const {
  if (read_some(offset, out) == out.size()) return;
  throw InputChanged(
      fmt::format("read {}: it was truncated during the run, and ends before byte {}; do not "
                  "change inputs while a run reads them, and run the command again",
                  path_.string(), offset + static_cast<std::int64_t>(out.size())));
}

}  // namespace synthoscope::imageio
