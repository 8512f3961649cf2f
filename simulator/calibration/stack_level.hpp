// SPDX-License-Identifier: MIT
// simulator/calibration/stack_level.hpp — statistics of a stack of frames at one level of light.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// Means and variances in time of frames of one level of light. Differences from pixel to pixel
/// cancel: variances come from differences of frame pairs, less the difference of the pair's means,
/// which is a drift of the lamp.
struct StackLevel {
  std::int64_t frames = 0, pairs = 0, height = 0, width = 0;
  double mean_dn = 0;
  double variance_dn2 = 0;    ///< in time, mean over pixels
  double variance_error = 0;  ///< its standard error
  /// Range of the frames' means, less the range that noise explains.
  double drift_dn = 0;
  double largest = 0, first = 0;  ///< counts
  /// The largest whole number that divides the differences of all counts: 16 if 12 bits are stored
  /// in the upper 12 of 16. 1 if a count is no whole number, 0 if all are equal.
  std::int64_t step = 0;
  double share_at_largest = 0, share_at_zero = 0;  ///< of all counts
  std::vector<float> mean, variance;               ///< of every pixel, [y, x]

  [[nodiscard]] std::int64_t pixels() const { return height * width; }
};

/// Return the bytes that survey_level holds for a field while it reads, and that a StackLevel
/// keeps.
std::int64_t level_working_bytes(std::int64_t pixels);
std::int64_t level_bytes(std::int64_t pixels);

/// Reads every frame once, two at a time; stacks may be larger than the memory. Pairs are frames 0
/// and 1, 2 and 3, ... of the z axis; a last one without partner counts only for the mean.
/// @throws InvalidInput  fewer than two frames, or counts that are no finite numbers; `name` names
///                       the stack. What the source throws; Interrupted.
/// @source EMVA Standard 1288, Release 4.0 Linear (2021), section 6.5 (variances from two frames).
StackLevel survey_level(Source& stack, const std::string& name, const RunContext& context);

}  // namespace synthoscope::simulator
