// SPDX-License-Identifier: MIT
#include "tools/terminal/standard_streams.hpp"
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

namespace synthoscope::tools {
namespace {

bool is_closed(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF;
}

/// Opens the lowest free descriptor. @returns whether it did
bool open_placeholder(int access) {
  // In a container without /dev the root folder holds the number; writing to it fails
  return ::open("/dev/null", access) >= 0 || ::open("/", O_RDONLY | O_DIRECTORY) >= 0;
}

}  // namespace

void open_closed_streams() noexcept {
  // In ascending order, because open() returns the lowest free number. Standard output is opened
  // for reading, so that writing to it fails.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (is_closed(descriptor) &&
        !open_placeholder(descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY))
      return;
}

bool standard_output_is_closed() noexcept {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

}  // namespace synthoscope::tools
