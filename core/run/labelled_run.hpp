// SPDX-License-Identifier: MIT
// core/run/labelled_run.hpp — a named part of a run: its stages and sentences begin with the name.
#pragma once
#include <string>
#include <utility>
#include "core/run/run_context.hpp"

namespace synthoscope {

/// Forwards messages with `part` in front of each: "channel gfp: the camera saturated".
class LabelledLog final : public Log {
 public:
  /// An empty `part` changes nothing. `whole` is kept alive by the caller.
  LabelledLog(Log& whole, std::string part) : whole_{whole}, part_{std::move(part)} {}
  void say(Severity severity, std::string_view sentence) override {
    whole_.say(severity,
               part_.empty() ? std::string{sentence} : part_ + ": " + std::string{sentence});
  }

 private:
  Log& whole_;
  std::string part_;
};

/// A run's context for one part of it. `whole` and what it refers to are kept alive by the caller.
class LabelledRun {
 public:
  LabelledRun(const RunContext& whole, const std::string& part)
      : progress_{whole.progress, part}, log_{whole.log, part}, context_{whole.pool,
                                                                         whole.memory,
                                                                         progress_,
                                                                         log_,
                                                                         whole.stop,
                                                                         whole.checkpoint} {}
  LabelledRun(const LabelledRun&) = delete;
  LabelledRun& operator=(const LabelledRun&) = delete;
  [[nodiscard]] const RunContext& context() const { return context_; }

 private:
  LabelledProgress progress_;
  LabelledLog log_;
  RunContext context_;
};

}  // namespace synthoscope
