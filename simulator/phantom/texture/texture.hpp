// SPDX-License-Identifier: MIT
// simulator/phantom/texture/texture.hpp — octaves of smooth noise in a cell's own frame.
#pragma once
#include <array>
#include <cstdint>
#include "simulator/phantom/texture/noise_field.hpp"

namespace synthoscope::simulator {

/// Returns the noise field of Texture.
NoiseField chromatin_field(std::uint64_t seed, double wavelength_um, int octaves);

/// Smooth noise t(p) in (-1, 1), a function of (seed, p) only: independent of grid, box and frame.
///
/// Octave k has random values in [-1, 1] on a cubic lattice of spacing wavelength / 2^(k+1) with
/// its own turn and offset (see lattice_place), interpolated by 3 t^2 - 2 t^3 along each axis; s is
/// their sum scaled to variance 1, and t = s / sqrt(1 + s^2). Only + - * / sqrt are used. Draws,
/// fixed by contract: stage `texture`; index = corner of the lattice, draw k is its value in octave
/// k.
///
/// Remembers the lattice cells of its last point, so one object serves one thread.
class Texture {
 public:
  Texture(std::uint64_t seed, double wavelength_um, int octaves)
      : field_{chromatin_field(seed, wavelength_um, octaves)} {}

  /// Returns t at `point`, in micrometres of the cell's own frame. Repeats after 2^16 lattice
  /// cells.
  [[nodiscard]] double operator()(const Vector3& point);

  /// Returns s, which is t before the map into (-1, 1).
  [[nodiscard]] double field(const Vector3& point);

 private:
  struct Seen {
    LatticeCell cell{INT64_MIN, 0, 0};
    CornerValues values{};
  };

  NoiseField field_;
  std::array<Seen, kMaxOctaves> seen_;
};

}  // namespace synthoscope::simulator
