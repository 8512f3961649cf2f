// SPDX-License-Identifier: MIT
// simulator/phantom/plain_strand.hpp — what voxels ask of a strand; read by the compiler of the
// host and by that of devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/cube_lists.hpp"
#include "simulator/phantom/strand_piece.hpp"
#include "simulator/phantom/structure.hpp"

namespace synthoscope::simulator {

/// A strand of which somebody else keeps the pieces.
struct PlainStrand {
  std::int64_t object = 0;                        ///< its id
  std::int32_t first_piece = 0, piece_count = 0;  ///< among those of all strands
  double photons = 0;                             ///< of a voxel that it fills
  VoxelRange range{};                             ///< of all its pieces
  Structure structure = Structure::other;
  bool is_labelled = true;
};

}  // namespace synthoscope::simulator
