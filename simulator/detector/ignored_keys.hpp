// SPDX-License-Identifier: MIT
// simulator/detector/ignored_keys.hpp — keys of a camera that have no effect because of other keys.
#pragma once
#include <string>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// Returns one sentence that names keys of patterns that a map replaces, and hot pixels without a
/// current or a share; a preset's own values are ignored. Empty if there are none.
std::string warning_of_ignored_keys(const CameraSpec& spec);

}  // namespace synthoscope::simulator
