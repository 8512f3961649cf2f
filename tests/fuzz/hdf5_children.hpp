// SPDX-License-Identifier: MIT
// tests/fuzz/hdf5_children.hpp — processes in which HDF5's library is tried die often here: soon,
// and without a word.
#pragma once
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef SYNTHOSCOPE_LIBFUZZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace synthoscope::fuzz {

inline bool is_child = false;

/// To be called once. A child's death is no finding: it is what a trial is for.
inline bool let_children_die() {
  ::pthread_atfork(nullptr, nullptr, [] {
    rlimit time{};
    ::getrlimit(RLIMIT_CPU, &time);
    time.rlim_cur = 1;  // a trial takes the lower limit
    ::setrlimit(RLIMIT_CPU, &time);
#ifdef SYNTHOSCOPE_LIBFUZZER
    is_child = true;
    __sanitizer_set_death_callback(nullptr);
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
#endif
  });
  return true;
}

inline const bool kChildrenMayDie = let_children_die();

}  // namespace synthoscope::fuzz

#ifdef SYNTHOSCOPE_LIBFUZZER
/// The sanitizer calls this before it writes a report, whose names of functions take it seconds.
extern "C" __attribute__((used)) inline void __asan_on_error() {
  if (synthoscope::fuzz::is_child) ::_exit(1);
}
#endif
