// SPDX-License-Identifier: MIT
// simulator/phantom/strands/plain_strand.hpp — what rendering a voxel needs of a strand; compiled
// for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/geometry/cube_lists.hpp"
#include "simulator/phantom/strands/strand_piece.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// A view of a strand whose pieces are owned elsewhere.
struct PlainStrand {
  std::int64_t object = 0;                        ///< id of its object
  std::int32_t first_piece = 0, piece_count = 0;  ///< among the pieces of all strands
  double photons = 0;                             ///< of a voxel that it fills
  VoxelRange range{};                             ///< of all its pieces
  Structure structure = Structure::other;
  bool is_labelled = true;
};

}  // namespace synthoscope::simulator
