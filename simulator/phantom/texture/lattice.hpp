// SPDX-License-Identifier: MIT
// simulator/phantom/texture/lattice.hpp — the lattices of noise: where each lies, and draws at its
// corners.
#pragma once
#include <array>
#include <cstdint>
#include "core/math/random.hpp"
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

/// Returns the index, below 2^48, of corner 0 ... 7 of a lattice cell: coordinates are shifted to
/// be positive and packed into 3 x 16 bits. Bit `axis` of `corner` selects the side.
constexpr std::uint64_t packed_corner(const std::array<std::int64_t, 3>& cell, int corner) {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto coordinate =
        static_cast<std::uint64_t>(cell[axis] + ((corner >> axis) & 1) + 0x8000);
    index = (index << 16) | (coordinate & 0xFFFF);
  }
  return index;
}

/// Placement of the lattice of one octave in the frame of a cell. Noise varies differently at the
/// corners of its lattice and between them; each octave has its own placement, so that no point is
/// special.
struct LatticePlace {
  Matrix3 turn{};
  Vector3 offset{};  ///< in lattice cells, in [0, 1)

  [[nodiscard]] Vector3 operator()(const Vector3& in_cells) const {
    return turn * in_cells + offset;
  }
};

/// Returns the placement of `octave` 0 ... 7 of the noise that draws from `stream`. Draws, fixed by
/// contract: index 0; draw 32 + octave is the offset, draws from 64 + 32 octave on are the turn.
LatticePlace lattice_place(const RandomStream& stream, int octave);

}  // namespace synthoscope::simulator
