// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture/texture.hpp"
#include <cmath>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/texture/noise_field.hpp"

namespace synthoscope::simulator {
namespace {

/// Variance of the noise over a cell: eight corners, (2/3) |d|^2 of the gradient times the square
/// of the fade along each axis, whose integrals over [0, 1] are 13/35, and 19/630 with d^2.
constexpr double kGradientVariance = 16 * (19.0 / 630) * (13.0 / 35) * (13.0 / 35);

/// Variance over one lattice cell of interpolated uniform values in [-1, 1]: 1/3 times the mean of
/// w^2 + (1-w)^2 per axis, which is 26/35 for w = 3 t^2 - 2 t^3.
constexpr double kValueVariance = (26.0 / 35) * (26.0 / 35) * (26.0 / 35) / 3;

}  // namespace

NoiseField perlin_field(std::uint64_t seed, double wavelength_um, int octaves) {
  NoiseField field{{seed, RandomStage::texture}, octaves, 2 / wavelength_um, 1, {}};
  double variance = 0, power = 1;
  for (int i = 0; i < octaves; ++i) {
    variance += kGradientVariance * power;
    power /= kPerlinAlpha * kPerlinAlpha;
    field.places[static_cast<std::size_t>(i)] = lattice_place(field.stream, i);
  }
  field.scale = 1 / std::sqrt(variance);
  return field;
}

double Perlin::operator()(const Vector3& point) {
  return squeezed(
      perlin_at(field_, point, [&](int octave, const LatticeCell& cell) -> const CornerGradients& {
        Seen& seen = seen_[static_cast<std::size_t>(octave)];
        if (cell != seen.cell) seen = {cell, corner_gradients(field_, octave, cell)};
        return seen.gradients;
      }));
}

NoiseField chromatin_field(std::uint64_t seed, double wavelength_um, int octaves) {
  NoiseField field{{seed, RandomStage::texture},
                   octaves,
                   2 / wavelength_um,
                   1 / std::sqrt(octaves * kValueVariance),
                   {}};
  for (int i = 0; i < octaves; ++i)
    field.places[static_cast<std::size_t>(i)] = lattice_place(field.stream, i);
  return field;
}

double Texture::operator()(const Vector3& point) {
  return squeezed(field(point));
}

double Texture::field(const Vector3& point) {
  return chromatin_at(field_, point,
                      [&](int octave, const LatticeCell& cell) -> const CornerValues& {
                        Seen& seen = seen_[static_cast<std::size_t>(octave)];
                        if (cell != seen.cell) seen = {cell, corner_values(field_, octave, cell)};
                        return seen.values;
                      });
}

WarpField warp_field(std::uint64_t seed, double wavelength_um) {
  const RandomStream stream{seed, RandomStage::texture};
  return {stream, 2 / wavelength_um, 1 / std::sqrt(kValueVariance),
          lattice_place(stream, kWarpOctave)};
}

Warp WarpNoise::operator()(const Vector3& point) {
  return warp_at(field_, point, [&](const LatticeCell& cell) -> const CornerWarps& {
    if (cell != cell_) {
      cell_ = cell;
      corners_ = corner_warps(field_, cell);
    }
    return corners_;
  });
}

LatticePlace lattice_place(const RandomStream& stream, int octave) {
  constexpr int kOffset = 32, kTurn = 64;
  const Draws draws{stream, 0};
  LatticePlace place{random_turn(draws, kTurn + kTurnTries * octave), {}};
  const auto words = draws.block(kOffset + octave);
  for (std::size_t axis = 0; axis < 3; ++axis) place.offset[axis] = uniform32(words[axis]);
  return place;
}

}  // namespace synthoscope::simulator
