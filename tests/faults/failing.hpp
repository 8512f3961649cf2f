// SPDX-License-Identifier: MIT
// tests/faults/failing.hpp — preloaded into a program: one of its calls fails, or meets a signal.
//
// FAIL_CALLS=allocate|read|write  which calls are counted, once main has begun; reads and writes of
//                                 files below FAIL_FOLDER only
//            chunk-walk           searches of the HDF5 library for one chunk among all; they are
//                                 counted and never fail
//            gpu-allocate|gpu-copy|gpu-launch|gpu-wait  those of CUDA's driver
// FAIL_NAME=TEXT                  reads and writes count only if the path holds this text, or with
//                                 TEXT$ if it ends so: a rename to NAME is a write of NAME$
// FAIL_AT=N                       the N-th of them fails (0: none)
// FAIL_HOW=ENOSPC|EIO|EINTR|short with this error, or does half of what was asked for
//          memory|lost            a GPU: out of its memory; or gone, with all that follows
//          SIGKILL|SIGSTOP|SIGTERM|SIGINT|SIGHUP|SIGUSR1
//                                 the process sends itself this signal just before the call, which
//                                 then succeeds. Removals of files count as writes, and the end of
//                                 main as the last call where no FAIL_NAME is given; calls of
//                                 forked copies do not count
// FAIL_COUNT=FILE                 of 8 bytes, which hold how many there were; processes may share
// it LATER_SECONDS=N                 the time of day is N seconds later (later_clock.cpp)
#pragma once

namespace failing {

enum class Calls {
  none,
  allocate,
  read,
  write,
  chunk_walk,
  gpu_allocate,
  gpu_copy,
  gpu_launch,
  gpu_wait
};
enum class How { eio, enospc, eintr, half, memory, lost, signal };

How how();

/// Counts a call, and says whether it is the one that fails.
bool fails(Calls calls);

/// As fails(), of a call for the file with this descriptor.
bool fails(Calls calls, int file);

/// As fails(), of a call for the files or folders with these names; the second may be null.
bool fails(Calls calls, const char* path, const char* other_path);

/// Whether the call that fails has been made.
bool has_failed();

}  // namespace failing
