// SPDX-License-Identifier: MIT
// tools/terminal/standard_streams.hpp — standard streams that the caller closed do no harm.
#pragma once

namespace synthoscope::tools {

/// Opens a placeholder for each standard stream (descriptors 0, 1 and 2) that is closed. Without
/// it, the next file to be opened takes the free number, and messages are written into that file.
/// Call it before anything else is opened.
///
/// Messages for a closed standard error are discarded. Writing to a closed standard output fails.
void open_closed_streams() noexcept;

/// Whether the caller closed standard output, so that nothing can be printed there.
bool standard_output_is_closed() noexcept;

}  // namespace synthoscope::tools
