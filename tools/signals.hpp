// SPDX-License-Identifier: MIT
// tools/signals.hpp — signals become a polite request to stop.
#pragma once
#include "core/stop.hpp"

namespace synthoscope::tools {

/// From now on SIGINT, SIGTERM and SIGUSR1 set the flag that is returned, and a second one of the
/// same kind ends the program at once. SIGPIPE and SIGXFSZ are ignored: what they would say comes
/// back as a failed write.
const StopFlag& stop_on_signals();

}  // namespace synthoscope::tools
