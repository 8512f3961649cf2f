// SPDX-License-Identifier: MIT
#include "tools/terminal/process_limits.hpp"
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <algorithm>
#include <system_error>
#include <thread>
#include "core/base/error.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::size_t kEnough = std::size_t{4} << 20, kLarge = std::size_t{8} << 20;  ///< bytes

bool is_small() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         limit.rlim_cur < kEnough;
}

/// Without it, threads get as much as the limit gives the first one.
void enlarge_later_stacks() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kLarge) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

}  // namespace

int with_large_stack(int (*body)(int, char**), int argc, char** argv) {
  if (!is_small()) return body(argc, argv);
  enlarge_later_stacks();
  int result = 0;
  try {
    std::thread{[&] { result = body(argc, argv); }}.join();
  } catch (const std::system_error&) {  // no thread can be started: try with what there is
    return body(argc, argv);
  }
  return result;
}

void raise_open_file_limit() {
  constexpr rlim_t kFewest = 64, kMost = 1 << 16;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::max(limit.rlim_cur, std::min(limit.rlim_max, kMost));
  const rlimit raised{wanted, limit.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  if (limit.rlim_cur < kFewest)
    throw IoError(
        fmt::format("open files: the system allows {} at a time (ulimit -n), and {} are needed; "
                    "raise the limit",
                    limit.rlim_cur, kFewest));
}

}  // namespace synthoscope::tools
