// SPDX-License-Identifier: MIT
// simulator/calibration/calibration_page.hpp — a measured camera on one page: the line of photon
// transfer, what lies off it, and the figures.
#pragma once
#include <string>
#include "simulator/calibration/calibrate.hpp"

namespace synthoscope::simulator {

/// HTML that refers to nothing outside itself.
std::string calibration_page(const Calibration& found);

/// What somebody at a terminal wants to know: a figure a line.
std::string calibration_text(const Calibration& found);

}  // namespace synthoscope::simulator
