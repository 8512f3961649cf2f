// SPDX-License-Identifier: MIT
// simulator/phantom/structure.hpp — what a voxel of an object is a part of; read by the compiler
// of the host and by that of devices.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Numbers of the mask of structures, which are a promise. Of several structures that hold a point,
/// the one with the highest number has it.
enum class Structure : std::uint8_t {
  none = 0,
  filopodium = 1,
  membrane = 2,
  cytoplasm = 3,
  nucleus = 4,
  nucleolus = 5,
  actin = 6,
  microtubule = 7,
  mitochondrion = 8,
  vesicle = 9,
  spot = 10,
  other = 11,  ///< an object that is no cell and no nucleus
};

}  // namespace synthoscope::simulator
