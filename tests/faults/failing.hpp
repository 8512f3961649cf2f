// SPDX-License-Identifier: MIT
// tests/faults/failing.hpp — preloaded into a program: one of its calls fails.
//
// FAIL_CALLS=allocate|read|write  which calls are counted, once main has begun; reads and writes of
//                                 files below FAIL_FOLDER only
//            gpu-allocate|gpu-copy|gpu-launch|gpu-wait  those of CUDA's driver
// FAIL_AT=N                       the N-th of them fails (0: none)
// FAIL_HOW=ENOSPC|EIO|EINTR|short with this error, or does half of what was asked for
//          memory|lost            a GPU: out of its memory; or gone, with all that follows
// FAIL_COUNT=FILE                 of 8 bytes, which hold how many there were
#pragma once

namespace failing {

enum class Calls { none, allocate, read, write, gpu_allocate, gpu_copy, gpu_launch, gpu_wait };
enum class How { eio, enospc, eintr, half, memory, lost };

How how();

/// Counts a call, and says whether it is the one that fails.
bool fails(Calls calls);

/// As fails(), of a call for the file with this descriptor.
bool fails(Calls calls, int file);

/// Whether the call that fails has been made.
bool has_failed();

}  // namespace failing
