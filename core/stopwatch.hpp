// SPDX-License-Identifier: MIT
// core/stopwatch.hpp — how long each stage of a run took.
#pragma once
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope {

/// Appends name and wall seconds of every finished stage to a list that the caller keeps. A stage
/// that comes again adds to its seconds.
class Stopwatch {
 public:
  using Stages = std::vector<std::pair<std::string, double>>;
  explicit Stopwatch(Stages& stages) : stages_{stages} {}

  /// The stage since the last lap is over.
  void lap(std::string stage) {
    const auto now = Clock::now();
    const auto known = std::find_if(stages_.begin(), stages_.end(),
                                    [&](const auto& before) { return before.first == stage; });
    if (known != stages_.end())
      known->second += seconds(last_, now);
    else
      stages_.emplace_back(std::move(stage), seconds(last_, now));
    last_ = now;
  }

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
