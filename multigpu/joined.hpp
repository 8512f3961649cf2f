// SPDX-License-Identifier: MIT
// multigpu/joined.hpp — what several executors tell of the run that they share, as if of one.
#pragma once
#include "core/base/progress.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::multigpu {

/// Adds the planes and voxels of all members up: each begins the same stage.
class JoinedProgress final : public Progress {
 public:
  explicit JoinedProgress(Progress& whole) : whole_{whole} {}
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
};

/// The longest of every stage, in the order of the first member's; the members work side by side.
void merge_parallel(fftconv::RunReport& all, const fftconv::RunReport& one);

/// What came after it: seconds of both.
void merge_sequential(fftconv::RunReport& all, const fftconv::RunReport& next);

}  // namespace synthoscope::multigpu
