// SPDX-License-Identifier: MIT
// simulator/phantom/texture/warp_field.hpp — four smooth random numbers at a point, which bend the
// borders of a texture; compiled for host and devices.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include "simulator/phantom/texture/noise_field.hpp"

namespace synthoscope::simulator {

/// Components z, y, x of a displacement, and one number more; each of mean 0 and variance 1.
using Warp = std::array<double, 4>;

/// The warp of one nucleus in numbers. Plain data.
struct WarpField {
  RandomStream stream;
  double per_um = 0;  ///< lattice cells per um
  double scale = 1;   ///< makes the variance 1
  LatticePlace place{};
};

/// Index of its lattice and of its draws, after the octaves of a NoiseField.
inline constexpr int kWarpOctave = kMaxOctaves;

using CornerWarps = std::array<Warp, 8>;

/// Returns random values in [-1, 1] at the corners of a cell, from one draw for each corner.
inline CornerWarps corner_warps(const WarpField& field, const LatticeCell& cell) {
  CornerWarps warps{};
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const auto words = field.stream.block(packed_corner(cell, static_cast<int>(corner)),
                                          static_cast<std::uint16_t>(kWarpOctave));
    for (std::size_t i = 0; i < 4; ++i) warps[corner][i] = 2 * uniform32(words[i]) - 1;
  }
  return warps;
}

/// Returns the warp at a point of the nucleus' own frame. `corners(cell)` returns what corner_warps
/// does.
template <class Corners>
Warp warp_at(const WarpField& field, const Vector3& point, Corners&& corners) {
  const LatticePoint at{field.place(field.per_um * point)};
  const CornerWarps& c = corners(at.cell);
  const Vector3& w = at.fade;
  Warp warp{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double low = mixed(mixed(c[0][i], c[1][i], w[0]), mixed(c[2][i], c[3][i], w[0]), w[1]);
    const double high = mixed(mixed(c[4][i], c[5][i], w[0]), mixed(c[6][i], c[7][i], w[0]), w[1]);
    warp[i] = field.scale * mixed(low, high, w[2]);
  }
  return warp;
}

/// Returns the displacement of a warp, `um` of standard deviation along each axis.
inline Vector3 displacement(const Warp& warp, double um) {
  return {um * warp[0], um * warp[1], um * warp[2]};
}

}  // namespace synthoscope::simulator
