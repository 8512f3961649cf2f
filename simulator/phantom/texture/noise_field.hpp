// SPDX-License-Identifier: MIT
// simulator/phantom/texture/noise_field.hpp — the noise of a texture at a point, from values or
// gradients at the corners of its lattices; compiled for host and devices.
#pragma once
#include <array>
#include <cmath>
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

/// Returns the placement of `octave` 0 ... 8 of the noise that draws from `stream`. Draws, fixed by
/// contract: index 0; draw 32 + octave is the offset, draws from 64 + 32 octave on are the turn.
LatticePlace lattice_place(const RandomStream& stream, int octave);

inline constexpr int kMaxOctaves = 8;

/// chromatin: octaves of equal variance, see texture.hpp; perlin: classic Perlin noise, see
/// texture.hpp; none: evenly stained; domains: lacunae and clumps where the field of chromatin is
/// lowest and highest, see DomainFigures.
enum class TextureKind { chromatin, perlin, none, domains };

/// The noise of one nucleus in numbers. Plain data.
struct NoiseField {
  RandomStream stream;
  int octaves = 0;
  double per_um = 1;  ///< lattice cells of octave 0 per um
  double scale = 1;   ///< makes the variance 1
  std::array<LatticePlace, kMaxOctaves> places{};
};

using LatticeCell = std::array<std::int64_t, 3>;

/// A point in the lattice of an octave.
struct LatticePoint {
  LatticeCell cell{};
  Vector3 from{};  ///< relative to the low corner of the cell, in [0, 1)
  Vector3 fade{};  ///< 3 t^2 - 2 t^3 of each t in `from`

  explicit LatticePoint(const Vector3& at) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = std::floor(at[axis]), t = at[axis] - low;
      cell[axis] = static_cast<std::int64_t>(low);
      from[axis] = t;
      fade[axis] = t * t * (3 - 2 * t);
    }
  }
};

inline std::uint32_t corner_word(const NoiseField& field, int octave, const LatticeCell& cell,
                                 int corner) {
  return field.stream.block(packed_corner(cell, corner), static_cast<std::uint16_t>(octave))[0];
}

// Chromatin: random values at the corners

using CornerValues = std::array<double, 8>;

inline CornerValues corner_values(const NoiseField& field, int octave, const LatticeCell& cell) {
  CornerValues values{};
  for (int corner = 0; corner < 8; ++corner)
    values[static_cast<std::size_t>(corner)] =
        2 * uniform32(corner_word(field, octave, cell, corner)) - 1;
  return values;
}

constexpr double mixed(double a, double b, double w) {
  return a + w * (b - a);
}

/// Returns s of Texture. `values(octave, cell)` returns what corner_values does.
template <class Values>
double chromatin_at(const NoiseField& field, const Vector3& point, Values&& values) {
  double sum = 0, per_um = field.per_um;
  for (int octave = 0; octave < field.octaves; ++octave) {
    const LatticePoint at{field.places[static_cast<std::size_t>(octave)](per_um * point)};
    const CornerValues& c = values(octave, at.cell);
    const Vector3& w = at.fade;
    const double low = mixed(mixed(c[0], c[1], w[0]), mixed(c[2], c[3], w[0]), w[1]);
    const double high = mixed(mixed(c[4], c[5], w[0]), mixed(c[6], c[7], w[0]), w[1]);
    sum += mixed(low, high, w[2]);
    per_um *= 2;
  }
  return field.scale * sum;
}

// Perlin: random gradients at the corners

inline constexpr double kPerlinAlpha = 8, kPerlinBeta = 4;

using CornerGradients = std::array<Vector3, 8>;

/// Returns one of the twelve edges of a cube.
constexpr Vector3 edge_of(std::uint32_t word) {
  const auto number = static_cast<std::size_t>((std::uint64_t{word} * 12) >> 32);
  Vector3 edge{};
  edge[(number / 4 + 1) % 3] = number % 2 == 0 ? 1 : -1;
  edge[(number / 4 + 2) % 3] = number / 2 % 2 == 0 ? 1 : -1;
  return edge;
}

inline CornerGradients corner_gradients(const NoiseField& field, int octave,
                                        const LatticeCell& cell) {
  CornerGradients gradients{};
  for (int corner = 0; corner < 8; ++corner)
    gradients[static_cast<std::size_t>(corner)] = edge_of(corner_word(field, octave, cell, corner));
  return gradients;
}

inline double gradient_noise(const LatticePoint& at, const CornerGradients& gradients) {
  double sum = 0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    double weight = 1;
    Vector3 to{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool far = (corner >> axis & 1) != 0;
      weight *= far ? at.fade[axis] : 1 - at.fade[axis];
      to[axis] = far ? at.from[axis] - 1 : at.from[axis];
    }
    sum += weight * dot(gradients[corner], to);
  }
  return sum;
}

/// Returns s of Perlin. `gradients(octave, cell)` returns what corner_gradients does.
template <class Gradients>
double perlin_at(const NoiseField& field, const Vector3& point, Gradients&& gradients) {
  double sum = 0, amplitude = field.scale;
  Vector3 p = field.per_um * point;
  for (int octave = 0; octave < field.octaves; ++octave) {
    const LatticePoint at{field.places[static_cast<std::size_t>(octave)](p)};
    sum += amplitude * gradient_noise(at, gradients(octave, at.cell));
    amplitude /= kPerlinAlpha;
    p = kPerlinBeta * p;
  }
  return sum;
}

/// Maps any number into (-1, 1).
inline double squeezed(double s) {
  return s / std::sqrt(1 + s * s);
}

}  // namespace synthoscope::simulator
