// SPDX-License-Identifier: MIT
// simulator/detector/idle_keys.hpp — keys of a camera that change nothing because of others.
#pragma once
#include <string>
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// One sentence that names keys of patterns which a map replaces, and hot pixels without a current
/// or a share; those of a preset are not meant. Empty where there are none.
std::string said_of_idle_keys(const CameraSpec& spec);

}  // namespace synthoscope::simulator
