// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_spec.hpp"
#include <fmt/format.h>
#include <string_view>
#include "core/error.hpp"

namespace synthoscope::simulator {
namespace {

struct Accepted {
  double low, high;
  bool low_allowed = true;
};

void require_range(std::string_view what, double value, Accepted range, std::string_view unit) {
  if (value <= range.high && (range.low_allowed ? value >= range.low : value > range.low)) return;
  throw InvalidSpec(fmt::format("camera: {} is {}{}, accepted is {} {} up to {}{}; correct it",
                                what, value, unit, range.low_allowed ? "from" : "above", range.low,
                                range.high, unit));
}

/// What differs from pixel to pixel.
void require_pattern(const CameraSpec& s) {
  constexpr double kMost = 1e9;
  require_range("the spread of the dark current", s.dark_current_spread, {0, 1}, "");
  require_range("the share of hot pixels", s.hot_pixels, {0, 1}, "");
  require_range("the dark current of hot pixels", s.hot_dark_current_electrons_per_second,
                {0, kMost}, " electrons per second");
  require_range("the share of dead pixels", s.dead_pixels, {0, 1}, "");
  require_range("the spread of the columns' offset", s.column_offset_spread_dn, {0, 65535}, " DN");
  require_range("the spread of the rows' offset", s.row_offset_spread_dn, {0, 65535}, " DN");
  require_range("the spread of the columns' gain", s.column_gain_spread, {0, 1}, "");
  require_range("the noise of rows", s.row_noise_electrons, {0, 1e6}, " electrons");
}

/// What counts photons, and is not asked of what does not.
void require_counter(const CameraSpec& s) {
  require_range("the dead time", s.dead_time_ns, {0, 1e9}, " ns");
  require_range("the number of one-bit frames", static_cast<double>(s.one_bit_frames), {0, 65535},
                "");
  require_range("the probability of an afterpulse", s.afterpulse_probability, {0, 0.5}, "");
  const bool counts = s.dead_time_ns > 0 || s.one_bit_frames > 0 || s.afterpulse_probability > 0;
  if (counts && s.kind != CameraKind::counting)
    throw InvalidSpec(fmt::format(
        "camera: dead time, one-bit frames and afterpulses are those of photon counters, this "
        "camera is of kind {}; choose kind counting, or leave them at 0",
        name_in(kCameraKindNames, s.kind)));
  if (s.one_bit_frames > 0 && (s.dead_time_ns > 0 || s.afterpulse_probability > 0))
    throw InvalidSpec(
        "camera: a pixel of one-bit frames counts once a frame, whatever its dead time and "
        "afterpulses; leave them at 0, or one_bit_frames");
}

}  // namespace

CameraSpec typical_camera(CameraKind kind) {
  CameraSpec camera;
  camera.kind = kind;
  if (kind == CameraKind::scmos) return camera;
  camera.read_noise_spread = camera.gain_spread = camera.offset_spread_dn = 0;
  if (kind == CameraKind::counting) {
    camera.quantum_efficiency = 0.5;
    camera.dark_current_electrons_per_second = 25;
    camera.full_well_electrons = 1e9;
    camera.read_noise_electrons = camera.offset_dn = 0;
    camera.gain_dn_per_electron = 1;
  } else if (kind == CameraKind::ccd) {
    camera.quantum_efficiency = 0.6;
    camera.dark_current_electrons_per_second = 0.005;
    camera.full_well_electrons = 40000;
    camera.register_full_well_electrons = 80000;
    camera.read_noise_electrons = 10;
    camera.gain_dn_per_electron = 0.1;
    camera.bit_depth = 12;
  } else {
    camera.quantum_efficiency = 0.92;
    camera.dark_current_electrons_per_second = 0.001;
    camera.clock_induced_charge_electrons = 0.005;
    camera.full_well_electrons = 180000;
    camera.em_gain = 300;
    camera.register_full_well_electrons = 800000;
    camera.read_noise_electrons = 50;
    camera.gain_dn_per_electron = 0.064;
  }
  return camera;
}

void require_valid(const CameraSpec& s) {
  constexpr double kMost = 1e9;
  require_range("the quantum efficiency", s.quantum_efficiency, {0, 1, false}, "");
  require_range("the dark current", s.dark_current_electrons_per_second, {0, kMost},
                " electrons per second");
  require_range("the exposure", s.exposure_seconds, {0, 1e6, false}, " s");
  require_range("the clock-induced charge", s.clock_induced_charge_electrons, {0, 1e6},
                " electrons");
  require_range("the full well", s.full_well_electrons, {1, kMost}, " electrons");
  require_range("the register's full well", s.register_full_well_electrons, {1, kMost},
                " electrons");
  require_range("the multiplication gain", s.em_gain, {1, 1e4}, "");
  if (s.em_gain > 1 && s.kind != CameraKind::emccd)
    throw InvalidSpec(fmt::format(
        "camera: the multiplication gain is {}, but a camera of kind {} has no register for it; "
        "choose kind emccd, or a gain of 1",
        s.em_gain, name_in(kCameraKindNames, s.kind)));
  require_range("the read noise", s.read_noise_electrons, {0, 1e6}, " electrons");
  require_range("the spread of the read noise", s.read_noise_spread, {0, 1}, "");
  require_range("the gain", s.gain_dn_per_electron, {0, 1e6, false}, " DN per electron");
  require_range("the spread of the gain", s.gain_spread, {0, 1}, "");
  require_range("the offset", s.offset_dn, {0, 65535}, " DN");
  require_range("the spread of the offset", s.offset_spread_dn, {0, 65535}, " DN");
  require_range("the bit depth", s.bit_depth, {1, 16}, "");
  require_range("the binning", s.binning, {1, 16}, "");
  require_pattern(s);
  require_counter(s);
}

}  // namespace synthoscope::simulator
