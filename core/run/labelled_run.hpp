// SPDX-License-Identifier: MIT
// core/run/labelled_run.hpp — a context whose stages and log messages begin with a label, such as
// "channel gfp".
#pragma once
#include <string>
#include <utility>
#include "core/run/run_context.hpp"

namespace synthoscope {

/// Forwards messages with a label in front of each: "channel gfp: the camera saturated".
class LabelledLog final : public Log {
 public:
  /// An empty label changes nothing. `whole` must outlive this.
  LabelledLog(Log& whole, std::string label) : whole_{whole}, label_{std::move(label)} {}
  void say(Severity severity, std::string_view sentence) override {
    whole_.say(severity,
               label_.empty() ? std::string{sentence} : label_ + ": " + std::string{sentence});
  }

 private:
  Log& whole_;
  std::string label_;
};

/// A context like `whole` with labelled progress and log. `whole` and its members must outlive
/// this.
class LabelledRun {
 public:
  LabelledRun(const RunContext& whole, const std::string& label)
      : progress_{whole.progress, label}, log_{whole.log, label}, context_{whole.pool,
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
