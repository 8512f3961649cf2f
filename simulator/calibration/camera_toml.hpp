// SPDX-License-Identifier: MIT
// simulator/calibration/camera_toml.hpp — a measured camera as the file that `detect` reads.
#pragma once
#include <string>
#include "simulator/calibration/calibrate.hpp"

namespace synthoscope::simulator {

/// Returns the keys of [camera] for the top of a file: measured figures with their standard error,
/// and the others marked as not measured. Maps that `found.camera` names come last.
std::string camera_toml(const Calibration& found);

}  // namespace synthoscope::simulator
