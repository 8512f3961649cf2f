// SPDX-License-Identifier: MIT
// tools/terminal/signals.hpp — signals become a polite request to stop.
#pragma once
#include "core/run/stop.hpp"

namespace synthoscope::tools {

/// From now on SIGINT, SIGTERM, SIGHUP and SIGUSR1 set signal_stop_flag(), and a second one of the
/// same kind ends the program at once, with the exit code of an interrupted run and with
/// files as a kill would leave them. A signal that the caller of the program had ignored (nohup)
/// stays ignored. SIGPIPE and SIGXFSZ are ignored: what they would report comes back as a failed
/// write.
void stop_on_signals() noexcept;

const StopFlag& signal_stop_flag() noexcept;

}  // namespace synthoscope::tools
