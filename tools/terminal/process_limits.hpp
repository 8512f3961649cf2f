// SPDX-License-Identifier: MIT
// tools/terminal/process_limits.hpp — limits of the process (ulimit) that are met before work
// begins.
#pragma once

namespace synthoscope::tools {

/// Calls `body(argc, argv)` and returns its result. Where the limit leaves the first thread less
/// than 4 MiB of stack, `body` runs in a thread that has 8 MiB, as do all threads that are started
/// later.
int with_large_stack(int (*body)(int, char**), int argc, char** argv);

/// Raises the soft limit of open files to the hard one: a set of images may have thousands of
/// files.
/// @throws IoError  fewer than 64 are allowed, which would end the run at any point.
void raise_open_file_limit();

}  // namespace synthoscope::tools
