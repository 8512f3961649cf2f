// SPDX-License-Identifier: MIT
// simulator/calibration/camera_toml.hpp — a measured camera as the file that `detect` reads.
#pragma once
#include <string>
#include "simulator/calibration/calibrate.hpp"

namespace synthoscope::simulator {

/// The keys of [camera] at the top of a file: what was measured with its standard error, and said
/// of the rest that it was not. Maps that `found.camera` names come last.
std::string camera_toml(const Calibration& found);

}  // namespace synthoscope::simulator
