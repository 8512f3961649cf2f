// SPDX-License-Identifier: MIT
// multigpu/joined.hpp — progress and reports of several executors that share a run, merged into
// one.
#pragma once
#include "core/base/progress.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::multigpu {

/// Sums the progress of all members, which all begin the same stage.
class JoinedProgress final : public Progress {
 public:
  explicit JoinedProgress(Progress& whole) : whole_{whole} {}
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
};

/// Merges the report of a member that ran at the same time: each stage takes the longer time. The
/// order of stages is that of the first member.
void merge_concurrent_report(fftconv::RunReport& all, const fftconv::RunReport& one);

/// Merges the report of a run that came after: seconds are added.
void append_report(fftconv::RunReport& all, const fftconv::RunReport& next);

}  // namespace synthoscope::multigpu
