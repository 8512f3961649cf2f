// SPDX-License-Identifier: MIT
// simulator/phantom/strands/structure.hpp — the structure that a voxel is part of, and numbers of
// strands; compiled for host and devices.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Numbers of the mask of structures, fixed by contract. A point that several structures hold
/// belongs to the one with the highest number.
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
  other = 11,    ///< an object that is no cell and no nucleus
  vacuole = 12,  ///< a hole in the cytoplasm
};

/// Numbers of the strands that objects consist of, and of their pieces.
struct StrandCount {
  std::int64_t strands = 0, pieces = 0;
};

}  // namespace synthoscope::simulator
