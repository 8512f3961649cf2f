// SPDX-License-Identifier: MIT
// tools/terminal/process.hpp — the process: its limits and standard streams, signals, and an
// unexpected end.
#pragma once
#include "core/run/stop.hpp"

namespace synthoscope::tools {

/// Calls `body(argc, argv)` and returns its result. Where the limit leaves the first thread less
/// than 4 MiB of stack, `body` runs in a thread that has 8 MiB, as do all threads that are started
/// later.
int with_large_stack(int (*body)(int, char**), int argc, char** argv);

/// Raises the soft limit of open files to the hard one: a set of images may have thousands of
/// files.
/// @throws IoError  fewer than 64 are allowed, which would end the run at any point.
void raise_open_file_limit();

/// Opens a placeholder for each standard stream (descriptors 0, 1 and 2) that is closed. Without
/// it, the next file to be opened takes the free number, and messages are written into that file.
/// Call it before anything else is opened.
///
/// Messages for a closed standard error are discarded. Writing to a closed standard output fails.
void open_closed_streams() noexcept;

/// Returns whether the caller closed standard output, so that nothing can be printed there.
bool standard_output_is_closed() noexcept;

/// Lets SIGINT, SIGTERM, SIGHUP and SIGUSR1 set signal_stop_flag(). A second one of the same kind
/// ends the program at once: its exit code is that of an interrupted run, and its files are left as
/// by a kill. SIGUSR2 sets the flag, too, any number of times: the system sends it once for each
/// thread of a parent that ends. A signal that the caller of the program had ignored (nohup)
/// stays ignored. SIGPIPE and SIGXFSZ are ignored: what they would report comes back as a failed
/// write.
void stop_on_signals() noexcept;

const StopFlag& signal_stop_flag() noexcept;

/// From now on an exception that nothing catches, as one of a destructor of a library, ends the
/// program with its sentence and its exit code. Files stay as a kill would leave them.
void install_terminate_handler();

}  // namespace synthoscope::tools
