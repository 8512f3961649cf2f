// SPDX-License-Identifier: MIT
// simulator/base/frames.hpp — the frames of a data set, and the seeds of independent frames.
#pragma once
#include <cstdint>
#include "core/math/random.hpp"

namespace synthoscope::simulator {

/// Consecutive frames: all of a data set, or a part of it.
struct FrameRange {
  std::int64_t first = 0, last = 0;
  [[nodiscard]] std::int64_t count() const { return last - first + 1; }
  [[nodiscard]] std::int64_t middle() const { return first + (count() - 1) / 2; }
  [[nodiscard]] bool holds(std::int64_t frame) const { return frame >= first && frame <= last; }
  friend bool operator==(const FrameRange&, const FrameRange&) = default;
};

/// Returns the seed that the objects of a frame are drawn from. Frame 0 has the seed of the scene;
/// the seed of frame f > 0 is the upper 53 bits of words 0 and 1 of stage `frame_seeds`, index f,
/// draw 0: a number that `--seed` accepts and JSON keeps exactly. These draws must never change.
constexpr std::uint64_t frame_seed(std::uint64_t seed, std::int64_t frame) {
  if (frame == 0) return seed;
  const auto words =
      RandomStream{seed, RandomStage::frame_seeds}.block(static_cast<std::uint64_t>(frame));
  return ((std::uint64_t{words[0]} << 32) | words[1]) >> 11;
}

}  // namespace synthoscope::simulator
