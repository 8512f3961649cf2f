// SPDX-License-Identifier: MIT
// simulator/detector/camera_presets.hpp — cameras by name, with the source of every figure.
#pragma once
#include <string_view>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// Returns a camera with published figures; for CameraPreset::none
/// typical_camera(CameraKind::scmos).
CameraSpec preset_camera(CameraPreset preset);

/// Text for users: which camera a preset is, and the sources of its figures. Figures without a
/// source are called typical.
struct PresetText {
  std::string_view camera, sources;
};
PresetText preset_text(CameraPreset preset);

}  // namespace synthoscope::simulator
