// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_spec.hpp"
#include <fmt/format.h>
#include <string_view>
#include "core/error.hpp"

namespace synthoscope::simulator {
namespace {

struct Range {
  double low, high;
  bool low_allowed = true;
};

void require_range(std::string_view what, double value, Range range, std::string_view unit) {
  if (value <= range.high && (range.low_allowed ? value >= range.low : value > range.low)) return;
  throw InvalidSpec(fmt::format("camera: {} is {}{}, accepted is {} {} up to {}{}; correct it",
                                what, value, unit, range.low_allowed ? "from" : "above", range.low,
                                range.high, unit));
}

}  // namespace

void require_valid(const CameraSpec& s) {
  constexpr double kMost = 1e9;
  require_range("the quantum efficiency", s.quantum_efficiency, {0, 1, false}, "");
  require_range("the dark current", s.dark_current_electrons_per_second, {0, kMost},
                " electrons per second");
  require_range("the exposure", s.exposure_seconds, {0, 1e6, false}, " s");
  require_range("the full well", s.full_well_electrons, {1, kMost}, " electrons");
  require_range("the read noise", s.read_noise_electrons, {0, 1e6}, " electrons");
  require_range("the spread of the read noise", s.read_noise_spread, {0, 1}, "");
  require_range("the gain", s.gain_dn_per_electron, {0, 1e6, false}, " DN per electron");
  require_range("the spread of the gain", s.gain_spread, {0, 1}, "");
  require_range("the offset", s.offset_dn, {0, 65535}, " DN");
  require_range("the spread of the offset", s.offset_spread_dn, {0, 65535}, " DN");
  require_range("the bit depth", s.bit_depth, {1, 16}, "");
}

}  // namespace synthoscope::simulator
