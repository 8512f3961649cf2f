// SPDX-License-Identifier: MIT
// tests/support/full_disk.hpp — a limit on file sizes, which looks like a disk that runs full.
#pragma once
#include <sys/resource.h>
#include <csignal>

namespace synthoscope::test {

/// No file may grow beyond `bytes` for as long as it lives. Writes stop as on a full disk, with
/// another cause.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
    ::getrlimit(RLIMIT_FSIZE, &was_);
    const rlimit limit{bytes, was_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &was_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit was_{};
  void (*handler_)(int);
};

}  // namespace synthoscope::test
