// SPDX-License-Identifier: MIT
#include "simulator/data_set/pattern_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "simulator/light/stripes.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns an angle within one turn.
double degrees_of(double turns) {
  return 360 * (turns - std::floor(turns));
}

}  // namespace

bool has_patterns(const std::vector<Channel>& channels) {
  return std::any_of(channels.begin(), channels.end(),
                     [](const Channel& one) { return one.scene.pattern.is_on(); });
}

std::string pattern_csv(const std::vector<Channel>& channels, std::int64_t frames) {
  std::string csv =
      "frame,channel,angle,phase,angle_degrees,period_um,ky_per_um,kx_per_um,phase_degrees,"
      "contrast,coarse_phase_degrees,coarse_contrast,axial_per_um\n";
  for (std::int64_t frame = 0; frame < frames; ++frame)
    for (const Channel& channel : channels) {
      const PatternSpec& pattern = channel.scene.pattern;
      if (!pattern.is_on()) continue;
      const RawPattern raw = raw_pattern(pattern, channel.scene.optics, frame);
      csv += fmt::format(
          "{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", frame,
          channel.name, raw.angle, raw.phase, raw.angle_degrees,
          pattern_period_um(pattern, channel.scene.optics), raw.fine.cycles_per_um[0],
          raw.fine.cycles_per_um[1], degrees_of(raw.fine.phase_turns), raw.fine.contrast,
          degrees_of(raw.coarse.phase_turns), raw.coarse.contrast, raw.axial_cycles_per_um);
    }
  return csv;
}

std::int64_t pattern_csv_bytes(const SceneSpec& scene, std::size_t channels) {
  constexpr std::int64_t kLongestLine = 256;  // counted twice: a string grows by doubling
  return scene.pattern.is_on()
             ? 2 * kLongestLine * (1 + scene.frames * static_cast<std::int64_t>(channels))
             : 0;
}

}  // namespace synthoscope::simulator
