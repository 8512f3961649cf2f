// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture/noise_field.hpp"
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {

LatticePlace lattice_place(const RandomStream& stream, int octave) {
  constexpr int kOffset = 32, kTurn = 64;
  const Draws draws{stream, 0};
  LatticePlace place{random_turn(draws, kTurn + kTurnTries * octave), {}};
  const auto words = draws.block(kOffset + octave);
  for (std::size_t axis = 0; axis < 3; ++axis) place.offset[axis] = uniform32(words[axis]);
  return place;
}

}  // namespace synthoscope::simulator
