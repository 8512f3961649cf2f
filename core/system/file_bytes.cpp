// SPDX-License-Identifier: MIT
#include "core/system/file_bytes.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace synthoscope {
namespace {

/// Repeats `call(done, count)` until `bytes` are moved, nothing moves, or it fails.
template <class Call>
Moved move_bytes(std::size_t bytes, Call&& call) {
  // Linux moves at most 2 GiB - 4 KiB in one call
  constexpr std::size_t kLargestCall = std::size_t{1} << 30;
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t moved = call(done, std::min(bytes - done, kLargestCall));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return {done, errno};
    if (moved == 0) break;
    done += static_cast<std::size_t>(moved);
  }
  return {done, 0};
}

}  // namespace

Moved read_bytes(int descriptor, std::int64_t offset, std::span<std::byte> out) {
  return move_bytes(out.size(), [&](std::size_t done, std::size_t count) {
    return ::pread(descriptor, out.data() + done, count, offset + static_cast<std::int64_t>(done));
  });
}

Moved write_bytes(int descriptor, std::int64_t offset, std::span<const std::byte> bytes) {
  return move_bytes(bytes.size(), [&](std::size_t done, std::size_t count) {
    return ::pwrite(descriptor, bytes.data() + done, count,
                    offset + static_cast<std::int64_t>(done));
  });
}

Moved append_bytes(int descriptor, std::span<const std::byte> bytes) {
  return move_bytes(bytes.size(), [&](std::size_t done, std::size_t count) {
    return ::write(descriptor, bytes.data() + done, count);
  });
}

int allocate_bytes(int descriptor, std::int64_t begin, std::int64_t count) {
  // File systems in memory give back what they took in a call that a signal ends
  constexpr std::int64_t kLargest = std::int64_t{32} << 20, kSmallest = std::int64_t{64} << 10;
  std::int64_t most = kLargest;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t now = std::min(most, count - done);
    if (::fallocate(descriptor, 0, begin + done, now) == 0)
      done += now;
    else if (errno == EINTR)
      most = std::max(kSmallest, most / 2);
    else
      return errno;
  }
  return 0;
}

bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace synthoscope
