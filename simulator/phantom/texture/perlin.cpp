// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture/perlin.hpp"
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// Variance of the noise over a cell: eight corners, (2/3) |d|^2 of the gradient times the square
/// of the fade along each axis, whose integrals over [0, 1] are 13/35, and 19/630 with d^2.
constexpr double kGradientVariance = 16 * (19.0 / 630) * (13.0 / 35) * (13.0 / 35);

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

}  // namespace synthoscope::simulator
