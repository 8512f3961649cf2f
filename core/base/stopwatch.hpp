// SPDX-License-Identifier: MIT
// core/base/stopwatch.hpp — how long each stage of a run took.
#pragma once
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope {

/// Name and wall seconds of stages, in the order in which they first ended.
using Stages = std::vector<std::pair<std::string, double>>;

/// Adds to the seconds of a stage that came before, or appends it.
inline void add_stage(Stages& stages, const std::string& stage, double seconds) {
  const auto known = std::find_if(stages.begin(), stages.end(),
                                  [&](const auto& before) { return before.first == stage; });
  if (known != stages.end())
    known->second += seconds;
  else
    stages.emplace_back(stage, seconds);
}

/// Divides the time of one thread into stages, in a list that the caller keeps: they follow each
/// other without overlap. The seconds of a stage that occurs again are added up.
class Stopwatch {
 public:
  explicit Stopwatch(Stages& stages) : stages_{stages} {}

  /// Ends a stage, which began when the stage before ended.
  void lap(const std::string& stage) {
    const auto now = Clock::now();
    add_stage(stages_, stage, seconds(last_, now));
    last_ = now;
  }

  /// Adds stages that were measured separately since the end of the last stage, such as those of a
  /// RunReport. The rest of that time belongs to the stage that ends next.
  void add(const Stages& measured) {
    for (const auto& [stage, wall] : measured) {
      add_stage(stages_, stage, wall);
      last_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall));
    }
  }

  /// Leaves the time since the last stage ended out of all stages.
  void skip() { last_ = Clock::now(); }

  /// Returns the stages that ended.
  [[nodiscard]] const Stages& stages() const { return stages_; }

  /// Seconds since the start.
  [[nodiscard]] double total() const { return seconds(start_, Clock::now()); }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }
  Stages& stages_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace synthoscope
