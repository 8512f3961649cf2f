// SPDX-License-Identifier: MIT
// simulator/detector/camera_spec.hpp — the camera: what turns photons into digital numbers (DN).
#pragma once
#include <filesystem>
#include <optional>
#include "core/names.hpp"

namespace synthoscope::simulator {

enum class CameraKind { scmos };
inline constexpr NameTable<CameraKind, 1> kCameraKindNames{{{CameraKind::scmos, "scmos"}}};

/// A spread is the standard deviation from pixel to pixel: relative to the mean for read noise and
/// gain, in DN for the offset. The defaults are figures typical of air-cooled scientific CMOS
/// cameras, not those of one product; measure your own for quantitative work.
struct CameraSpec {
  CameraKind kind = CameraKind::scmos;
  double quantum_efficiency = 0.85;                 ///< electrons per photon, > 0, <= 1
  double dark_current_electrons_per_second = 1.03;  ///< >= 0
  double exposure_seconds = 0.1;                    ///< > 0
  double full_well_electrons = 30000;               ///< >= 1, <= 1e9
  double read_noise_electrons = 1.2;                ///< rms, >= 0
  double read_noise_spread = 0.2;                   ///< 0 to 1
  double gain_dn_per_electron = 2.0;                ///< > 0
  double gain_spread = 0.01;                        ///< 0 to 1
  double offset_dn = 100;                           ///< >= 0
  double offset_spread_dn = 2;                      ///< >= 0
  int bit_depth = 16;                               ///< 1 to 16; counts are uint8 up to 8
  /// Images [y, x] of the field's size, in the units of the value they replace; with a map the
  /// value and its spread are not read.
  std::optional<std::filesystem::path> offset_map, gain_map, read_noise_map;
};

/// @throws InvalidSpec naming the first value outside the ranges above and what is accepted.
void require_valid(const CameraSpec& spec);

}  // namespace synthoscope::simulator
