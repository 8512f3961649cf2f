// SPDX-License-Identifier: MIT
// tools/terminal/terminate_handler.hpp — what is said where no handler is left to say it.
#pragma once

namespace synthoscope::tools {

/// From now on an exception that nothing catches, as one of a destructor of a library, ends the
/// program with its sentence and its exit code. Files stay as a kill would leave them.
void install_terminate_handler();

}  // namespace synthoscope::tools
