// SPDX-License-Identifier: MIT
// simulator/detector/camera_presets.hpp — cameras by name, with the source of every figure.
#pragma once
#include <string_view>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// A camera with published figures; of CameraPreset::none typical_camera(CameraKind::scmos).
CameraSpec preset_camera(CameraPreset preset);

/// For people: which camera that is, and where its figures are from. What no source gives is called
/// typical.
struct PresetWords {
  std::string_view camera, sources;
};
PresetWords words_of(CameraPreset preset);

}  // namespace synthoscope::simulator
