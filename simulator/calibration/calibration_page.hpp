// SPDX-License-Identifier: MIT
// simulator/calibration/calibration_page.hpp — a measured camera on one page: the photon transfer
// line, deviations from it, and the figures.
#pragma once
#include <string>
#include "simulator/calibration/calibrate.hpp"

namespace synthoscope::simulator {

/// Returns HTML without external references.
std::string calibration_page(const Calibration& found);

/// Returns text for a terminal: one figure per line.
std::string calibration_text(const Calibration& found);

}  // namespace synthoscope::simulator
