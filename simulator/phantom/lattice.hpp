// SPDX-License-Identifier: MIT
// simulator/phantom/lattice.hpp — the lattices of noise: where each lies, and draws at its corners.
#pragma once
#include <array>
#include <cstdint>
#include "core/math/random.hpp"
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// Corner 0 ... 7 of a lattice cell as an index below 2^48: coordinates are shifted to be positive
/// and packed into 3 x 16 bits. Bit `axis` of `corner` says on which side it lies.
constexpr std::uint64_t packed_corner(const std::array<std::int64_t, 3>& cell, int corner) {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto coordinate =
        static_cast<std::uint64_t>(cell[axis] + ((corner >> axis) & 1) + 0x8000);
    index = (index << 16) | (coordinate & 0xFFFF);
  }
  return index;
}

/// How the lattice of one octave lies in the frame of a cell. Noise varies otherwise at the corners
/// of its lattice than between them: with a place of its own for each octave no point is special.
struct LatticePlace {
  Matrix3 turn{};
  Vector3 offset{};  ///< in lattice cells, in [0, 1)

  [[nodiscard]] Vector3 operator()(const Vector3& in_cells) const {
    return turn * in_cells + offset;
  }
};

/// Of `octave` 0 ... 7 of the noise that draws from `stream`. The draws are a promise: of index 0
/// draw 32 + octave the offset, and 64 + 32 octave and on the turn.
LatticePlace lattice_place(const RandomStream& stream, int octave);

}  // namespace synthoscope::simulator
