// SPDX-License-Identifier: MIT
// tools/terminal/run_clock.hpp — the time of a run, from the start of the process.
#pragma once
#include "core/base/json_fwd.hpp"
#include "core/base/stopwatch.hpp"

namespace synthoscope::tools {

/// Divides the wall time of the process into stages. They follow each other in the first thread, so
/// they do not overlap, and the first one, "start", begins with the process.
class RunClock {
 public:
  /// Make it first in the program: the time before it counts as loading the program.
  RunClock();

  [[nodiscard]] Stopwatch& watch() { return watch_; }

  /// Returns the seconds since the process began.
  [[nodiscard]] double wall_seconds() const { return before_ + watch_.total(); }

  /// Returns `stages` (seconds by name) and `wall_seconds` up to now.
  [[nodiscard]] Json json() const;

 private:
  Stages stages_;
  double before_;
  Stopwatch watch_{stages_};
};

}  // namespace synthoscope::tools
