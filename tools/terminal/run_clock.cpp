// SPDX-License-Identifier: MIT
#include "tools/terminal/run_clock.hpp"
#include <unistd.h>
#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include "core/base/json.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns the seconds since the process began by the clock of the system, which the kernel rounds
/// down to a tick of 10 ms; 0 if they are unknown.
double ticked_age() {
  std::ifstream file{"/proc/self/stat"};
  std::string line;
  if (!std::getline(file, line)) return 0;
  const auto end = line.rfind(')');  // the name of the program may hold blanks
  if (end == std::string::npos) return 0;
  std::istringstream fields{line.substr(end + 1)};
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  double ticks = 0;
  if (!(fields >> ticks)) return 0;
  const double begun = (ticks + 1) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return std::max(0.0, seconds_of(CLOCK_BOOTTIME) - begun);
}

/// Returns the seconds that the process spent on loading the program. Its processor time is exact,
/// but leaves out waiting for a disk.
double seconds_before_main() {
  return std::max(seconds_of(CLOCK_PROCESS_CPUTIME_ID), ticked_age());
}

}  // namespace

RunClock::RunClock() : before_{seconds_before_main()} {
  add_stage(stages_, "start", before_);
}

Json RunClock::json() const {
  return {{"wall_seconds", wall_seconds()}, {"stages", json_of(stages_)}};
}

}  // namespace synthoscope::tools
