// SPDX-License-Identifier: MIT
#include "tools/signals.hpp"
#include <csignal>

namespace synthoscope::tools {
namespace {

// A signal handler has no argument for it, so the flag is the program's one global.
StopFlag stop_flag;

extern "C" void on_stop_signal(int) {
  stop_flag.request();
}

}  // namespace

const StopFlag& stop_on_signals() {
  struct sigaction stop {};
  stop.sa_handler = on_stop_signal;
  stop.sa_flags =
      static_cast<int>(SA_RESETHAND | SA_RESTART);  // a second one meets the default action
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) sigaction(number, &stop, nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  return stop_flag;
}

}  // namespace synthoscope::tools
