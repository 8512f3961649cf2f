// SPDX-License-Identifier: MIT
// simulator/phantom/texture/texture.hpp — textures in a cell's own frame: octaves of smooth noise,
// and classic Perlin noise.
#pragma once
#include <array>
#include <cstdint>
#include "simulator/phantom/texture/noise_field.hpp"
#include "simulator/phantom/texture/warp_field.hpp"

namespace synthoscope::simulator {

/// Returns the noise field of Perlin.
NoiseField perlin_field(std::uint64_t seed, double wavelength_um, int octaves);

/// Classic Perlin noise t(p) in (-1, 1), a function of (seed, p) only.
///
///     s = sum over i < octaves of noise(T_i 4^i p / spacing + o_i) / 8^i,   t = s / sqrt(1 + s^2)
///
/// with s scaled to variance 1, spacing half the wavelength, and noise the gradient noise of a
/// cubic lattice: random edges of a cube as gradients, faded by 3 t^2 - 2 t^3. The factors 8 and 4
/// were used for cell nuclei by Svoboda et al. (2009). Noise vanishes at the corners of its
/// lattice, so each octave has its own turn T_i and offset o_i (see lattice_place). Draws, fixed by
/// contract: stage `texture`; index = corner of the lattice, draw i is its gradient in octave i.
/// @source Perlin, Computer Graphics 19 (1985) 287, doi:10.1145/325165.325247; gradients from
///         Perlin, ACM Trans. Graph. 21 (2002) 681, doi:10.1145/566654.566636.
class Perlin {
 public:
  Perlin(std::uint64_t seed, double wavelength_um, int octaves)
      : field_{perlin_field(seed, wavelength_um, octaves)} {}

  /// Returns t at `point`, in micrometres of the cell's own frame. Repeats after 2^16 lattice
  /// cells.
  [[nodiscard]] double operator()(const Vector3& point);

 private:
  /// The lattice cell of the last point, so one object serves one thread.
  struct Seen {
    LatticeCell cell{INT64_MIN, 0, 0};
    CornerGradients gradients{};
  };

  NoiseField field_;
  std::array<Seen, kMaxOctaves> seen_;
};

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

/// Returns the warp of `wavelength_um`: random values on a lattice of half of it. Draws, fixed by
/// contract: stage `texture`; index = corner of the lattice, draw 8: its four values.
WarpField warp_field(std::uint64_t seed, double wavelength_um);

/// The function warp_at of one field. Remembers the lattice cell of its last point, so one object
/// serves one thread.
class WarpNoise {
 public:
  explicit WarpNoise(const WarpField& field) : field_{field} {}

  /// Returns the warp at `point`, in micrometres of the cell's own frame.
  [[nodiscard]] Warp operator()(const Vector3& point);

 private:
  WarpField field_;
  LatticeCell cell_{INT64_MIN, 0, 0};
  CornerWarps corners_{};
};

}  // namespace synthoscope::simulator
