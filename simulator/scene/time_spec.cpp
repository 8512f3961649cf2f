// SPDX-License-Identifier: MIT
#include "simulator/scene/time_spec.hpp"
#include <fmt/format.h>
#include <string_view>
#include "core/base/error.hpp"
#include "core/math/elementary.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/scene/time_keys.hpp"

namespace synthoscope::simulator {
namespace {

/// As part of the mean cycle: the shortest cycle is longer, so that no cell divides twice between
/// two frames.
constexpr double kMaxInterval = 0.1;

void require_interval(const TimeSpec& spec) {
  const auto refuse = [](std::string_view key, const auto& value) {
    throw InvalidSpec(fmt::format(
        "check the scene: time.{} is {}, and frames are independent of each other; give "
        "time.interval_seconds, the time between two frames of a movie",
        key, value));
  };
  if (spec.diffusion_um2_per_second > 0)
    refuse("diffusion_um2_per_second", spec.diffusion_um2_per_second);
  if (spec.speed_um_per_second > 0) refuse("speed_um_per_second", spec.speed_um_per_second);
  if (spec.turning_rad2_per_second > 0)
    refuse("turning_rad2_per_second", spec.turning_rad2_per_second);
  if (spec.division) refuse("division", spec.division);
  const TimeSpec usual;
  if (spec.persistence_seconds != usual.persistence_seconds)
    refuse("persistence_seconds", spec.persistence_seconds);
  if (spec.cycle_hours != usual.cycle_hours) refuse("cycle_hours", spec.cycle_hours);
  if (spec.cycle_spread != usual.cycle_spread) refuse("cycle_spread", spec.cycle_spread);
  if (spec.bleaching_seconds) refuse("bleaching_seconds", *spec.bleaching_seconds);
  const auto [z, y, x] = spec.drift_um_per_second;
  if (z != 0 || y != 0 || x != 0)
    refuse("drift_um_per_second", fmt::format("[{}, {}, {}]", z, y, x));
  if (spec.focus_drift_um_per_second != 0)
    refuse("focus_drift_um_per_second", spec.focus_drift_um_per_second);
}

}  // namespace

void require_valid(const TimeSpec& spec) {
  RangeCheck check{"time", spec};
  list_time_keys(check);
  if (!spec.is_movie()) return require_interval(spec);
  const double most_seconds = kMaxInterval * 3600 * spec.cycle_hours;
  if (spec.division && *spec.interval_seconds > most_seconds)
    throw InvalidSpec(
        fmt::format("check the scene: time.interval_seconds is {}, and nuclei and cells divide "
                    "after {} hours; give at most a tenth of time.cycle_hours, {} s",
                    *spec.interval_seconds, spec.cycle_hours, most_seconds));
}

double brightness_of(const TimeSpec& spec, std::int64_t frame) {
  if (!spec.bleaching_seconds) return 1;
  return portable::exp_negative(-spec.seconds(frame) / *spec.bleaching_seconds);
}

}  // namespace synthoscope::simulator
