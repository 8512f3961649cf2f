// SPDX-License-Identifier: MIT
#include "simulator/timelapse/lineage.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kCycleDraw = 0, kPhaseDraw = 1;
constexpr double kInterphase = 0.95;  ///< G1, S and G2

/// Returns the first frame at or after a time; `frames` if that is after the movie.
std::int64_t frame_behind(double seconds, const TimeSpec& time, std::int64_t frames) {
  const double frame = std::ceil(seconds / *time.interval_seconds);
  return frame < static_cast<double>(frames) ? static_cast<std::int64_t>(frame) : frames;
}

}  // namespace

std::vector<Life> lineage_of(std::int64_t count, const TimeSpec& time, std::int64_t frames,
                             std::uint64_t seed, const LivesOf& of) {
  std::vector<Life> lives(static_cast<std::size_t>(count), Life{0, frames - 1, -1, 0, 0});
  if (!time.division) return lives;
  const RandomStream stream{seed, of.stage};
  std::set<std::pair<std::int64_t, std::size_t>> divisions;  // frame of the daughters, mother
  const auto live = [&](std::size_t number) {
    Life& life = lives[number];
    const double divides = life.born_seconds + life.cycle_seconds;
    const std::int64_t next = frame_behind(divides, time, frames);
    life.end = next - 1;
    if (next < frames) divisions.insert({next, number});
  };
  const auto cycle_of = [&](std::size_t number) {
    const Draws draws{stream, number};
    return 3600 * time.cycle_hours * (1 + time.cycle_spread * bell(draws.block(kCycleDraw)));
  };
  for (std::size_t number = 0; number < lives.size(); ++number) {
    Life& life = lives[number];
    life.cycle_seconds = cycle_of(number);
    life.born_seconds = -life.cycle_seconds * uniform32(Draws{stream, number}.block(kPhaseDraw)[0]);
    live(number);
  }
  while (!divisions.empty()) {
    const auto [frame, mother] = *divisions.begin();
    divisions.erase(divisions.begin());
    const double born = lives[mother].born_seconds + lives[mother].cycle_seconds;
    for (int daughter = 0; daughter < 2; ++daughter) {
      const std::size_t number = lives.size();
      if (number >= static_cast<std::size_t>(kMaxObjects))
        throw InvalidSpec(fmt::format(
            "make the movie: by frame {0} there have been more than {1} {2}, and labels cannot "
            "number more; use fewer frames, fewer {2}, or a longer time.cycle_hours",
            frame, kMaxObjects, of.who));
      lives.push_back(
          {frame, frames - 1, static_cast<std::int64_t>(mother), born, cycle_of(number)});
      live(number);
    }
  }
  return lives;
}

Headcount headcount_of(const std::vector<Life>& lineage, std::int64_t frames) {
  std::vector<std::int64_t> change(static_cast<std::size_t>(frames) + 1);
  Headcount count;
  for (const Life& life : lineage) {
    ++change[static_cast<std::size_t>(life.begin)];
    --change[static_cast<std::size_t>(life.end + 1)];
    count.rows += life.end + 1 - life.begin;
  }
  count.lives = static_cast<std::int64_t>(lineage.size());
  std::int64_t living = 0;
  for (const std::int64_t more : change) count.most = std::max(count.most, living += more);
  return count;
}

double progress_of(const Life& life, double seconds) {
  if (life.cycle_seconds == 0) return 0;
  return std::clamp((seconds - life.born_seconds) / life.cycle_seconds, 0.0, 1.0);
}

CycleForm form_at(double progress) {
  if (progress < kInterphase) return {1 + progress / kInterphase, 1};
  const double mitosis = (progress - kInterphase) / (1 - kInterphase);
  return {2, 1 + (kLongestStretch - 1) * mitosis * mitosis};
}

}  // namespace synthoscope::simulator
