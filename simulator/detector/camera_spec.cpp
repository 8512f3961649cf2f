// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_spec.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/detector/camera_keys.hpp"

namespace synthoscope::simulator {
namespace {

/// Checks that only photon counters have the keys of photon counters.
void require_counter(const CameraSpec& s) {
  const bool counts = s.dead_time_ns > 0 || s.one_bit_frames > 0 || s.afterpulse_probability > 0;
  if (counts && s.kind != CameraKind::counting)
    throw InvalidSpec(
        fmt::format("camera: dead time, one-bit frames and afterpulses are for photon counters, "
                    "but this camera is of kind {}; choose kind counting, or leave them at 0",
                    name_in(kCameraKindNames, s.kind)));
  if (s.one_bit_frames > 0 && (s.dead_time_ns > 0 || s.afterpulse_probability > 0))
    throw InvalidSpec(
        "camera: a pixel of one-bit frames counts at most once a frame, regardless of dead time "
        "and afterpulses; leave them at 0, or one_bit_frames");
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
  RangeCheck check{"camera", s};
  list_camera_figures(check);
  if (s.em_gain > 1 && s.kind != CameraKind::emccd)
    throw InvalidSpec(fmt::format(
        "camera: the multiplication gain is {}, but a camera of kind {} has no register for it; "
        "choose kind emccd, or a gain of 1",
        s.em_gain, name_in(kCameraKindNames, s.kind)));
  require_counter(s);
}

}  // namespace synthoscope::simulator
