// SPDX-License-Identifier: MIT
#include "studio/server/unnamed_file.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include "core/base/error.hpp"

namespace synthoscope::studio {
namespace {

int unnamed_file_in(const std::filesystem::path& folder) {
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

}  // namespace

UnnamedFile::UnnamedFile(const std::filesystem::path& folder)
    : descriptor_{unnamed_file_in(folder)} {
  if (descriptor_ < 0) descriptor_ = unnamed_file_in(std::filesystem::temp_directory_path());
  if (descriptor_ < 0)
    throw IoError(fmt::format(
        "receive a file: neither {} nor {} can hold a temporary file ({}); start the program in "
        "another folder",
        folder.string(), std::filesystem::temp_directory_path().string(), std::strerror(errno)));
}

UnnamedFile::~UnnamedFile() {
  ::close(descriptor_);
}

void UnnamedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), size_);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw IoError(fmt::format(
          "receive a file: {} bytes were written, then the disk refused more ({}); free some space",
          size_, std::strerror(errno)));
    size_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::filesystem::path UnnamedFile::path() const {
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

std::size_t UnnamedFile::read_some(std::int64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done,
                                offset + static_cast<std::int64_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw IoError(
          fmt::format("read a file that was received: {}; send it again", std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace synthoscope::studio
