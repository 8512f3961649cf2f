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

/// Appends every finished stage to a list that the caller keeps; one that comes again adds to it.
class Stopwatch {
 public:
  explicit Stopwatch(Stages& stages) : stages_{stages} {}

  /// The stage since the last lap is over.
  void lap(const std::string& stage) {
    const auto now = Clock::now();
    add_stage(stages_, stage, seconds(last_, now));
    last_ = now;
  }

  /// What was since the last lap belongs to no stage.
  void skip() { last_ = Clock::now(); }

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
