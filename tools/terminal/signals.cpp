// SPDX-License-Identifier: MIT
#include "tools/terminal/signals.hpp"
#include <unistd.h>
#include <array>
#include <atomic>
#include <csignal>
#include "tools/terminal/exit_code.hpp"

namespace synthoscope::tools {
namespace {

// A signal handler has no argument for them, so they are the program's only globals.
StopFlag stop_flag;
std::array<std::atomic<bool>, NSIG> has_come{};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_stop_signal(int number) {
  if (has_come[static_cast<std::size_t>(number)].exchange(true))
    ::_exit(static_cast<int>(ExitCode::interrupted));
  stop_flag.request();
}

bool is_ignored(int number) noexcept {
  struct sigaction before {};
  return sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}

}  // namespace

void stop_on_signals() noexcept {
  struct sigaction stop {};
  stop.sa_handler = on_stop_signal;
  stop.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
    if (!is_ignored(number)) sigaction(number, &stop, nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

const StopFlag& signal_stop_flag() noexcept {
  return stop_flag;
}

}  // namespace synthoscope::tools
