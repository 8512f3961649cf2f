// SPDX-License-Identifier: MIT
// simulator/phantom/placed_strands.hpp — the strands of all objects, placed in a grid of voxels.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include "simulator/phantom/object_index.hpp"
#include "simulator/phantom/strands/strand_piece.hpp"

namespace synthoscope::simulator {

struct Phantom;

/// Strands in the order of their objects. Pieces of a strand are contiguous.
struct StrandPieces {
  explicit StrandPieces(const Phantom& phantom);

  std::vector<PlainStrand> strands;
  std::vector<StrandPiece> pieces;
  std::vector<VoxelRange> ranges;  ///< voxels that each piece can touch
};

/// Returns the bytes of `strands` strands and `pieces` pieces.
std::int64_t strand_pieces_bytes(std::int64_t strands, std::int64_t pieces);

/// Pieces of strands, and an index of them. Keeps no reference to the phantom. Immutable; reads are
/// thread-safe.
class PlacedStrands {
 public:
  explicit PlacedStrands(const Phantom& phantom);

  /// Returns the strands of object `id`.
  [[nodiscard]] std::span<const PlainStrand> of_object(std::int64_t id) const;

  /// Calls `visit(z, y, x, pieces)` for the voxels of `box` that pieces of a strand can touch, with
  /// pointers to these pieces.
  template <class Visit>
  void for_each_voxel(const PlainStrand& strand, const Box3& box, Visit&& visit) const;

  /// Returns the bytes of `pieces` pieces of `strands` strands in a grid of `extent`.
  static std::int64_t bytes(std::int64_t strands, std::int64_t pieces, const Extent3& extent);

 private:
  /// Voxels of one cube, and the pieces of one strand that lie in it.
  struct Cube {
    VoxelRange voxels;
    std::span<const std::int32_t> pieces;
  };
  [[nodiscard]] Cube cube_at(const PlainStrand& strand, const VoxelRange& within, std::int64_t z,
                             std::int64_t y, std::int64_t x) const;

  /// A piece in a row of voxels, and the voxels that it can touch there.
  struct RowPiece {
    const StrandPiece* piece;
    std::int32_t begin, end;
  };
  /// Returns the voxels of a row that piece `number` can touch. Those of a thin piece are few: its
  /// box has many more, because most pieces lie askew.
  [[nodiscard]] RowPiece in_row(std::int32_t number, std::int32_t z, std::int32_t y) const;

  StrandPieces all_;
  Vector3 pitch_{};
  CubeIndex index_;
};

template <class Visit>
void PlacedStrands::for_each_voxel(const PlainStrand& strand, const Box3& box,
                                   Visit&& visit) const {
  const VoxelRange within = intersection(strand.range, range_of(box));
  if (within.empty()) return;
  const int bits = index_.lists().cube_bits;
  std::vector<RowPiece> of_row;
  std::vector<const StrandPiece*> of_voxel;
  const auto visit_row = [&](const Cube& cube, std::int32_t z, std::int32_t y) {
    of_row.clear();
    for (const std::int32_t piece : cube.pieces)
      if (all_.ranges[static_cast<std::size_t>(piece)].has_row(z, y)) {
        const RowPiece near = in_row(piece, z, y);
        if (near.begin < near.end) of_row.push_back(near);
      }
    if (of_row.empty()) return;
    for (std::int32_t x = cube.voxels.begin[2]; x < cube.voxels.end[2]; ++x) {
      of_voxel.clear();
      for (const RowPiece& near : of_row)
        if (x >= near.begin && x < near.end) of_voxel.push_back(near.piece);
      if (!of_voxel.empty()) visit(z, y, x, of_voxel);
    }
  };
  for (std::int64_t z = within.begin[0] >> bits; z <= (within.end[0] - 1) >> bits; ++z)
    for (std::int64_t y = within.begin[1] >> bits; y <= (within.end[1] - 1) >> bits; ++y)
      for (std::int64_t x = within.begin[2] >> bits; x <= (within.end[2] - 1) >> bits; ++x) {
        const Cube cube = cube_at(strand, within, z, y, x);
        if (cube.pieces.empty()) continue;
        for (std::int32_t row_z = cube.voxels.begin[0]; row_z < cube.voxels.end[0]; ++row_z)
          for (std::int32_t row_y = cube.voxels.begin[1]; row_y < cube.voxels.end[1]; ++row_y)
            visit_row(cube, row_z, row_y);
      }
}

}  // namespace synthoscope::simulator
