// SPDX-License-Identifier: MIT
// simulator/phantom/lattice.hpp — corners of lattice cells as indices of random draws.
#pragma once
#include <array>
#include <cstdint>

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

}  // namespace synthoscope::simulator
