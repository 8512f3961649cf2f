// SPDX-License-Identifier: MIT
#include "simulator/phantom/perlin.hpp"
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr double kAlpha = 8, kBeta = 4;

/// Variance of the noise over a cell: eight corners, (2/3) |d|^2 of the gradient times the square
/// of the fade along each axis, whose integrals over [0, 1] are 13/35, and 19/630 with d^2.
constexpr double kGradientVariance = 16 * (19.0 / 630) * (13.0 / 35) * (13.0 / 35);

/// One of the twelve edges of a cube.
Vector3 edge_of(std::uint32_t word) {
  const auto number = static_cast<std::size_t>((std::uint64_t{word} * 12) >> 32);
  Vector3 edge{};
  edge[(number / 4 + 1) % 3] = number % 2 == 0 ? 1 : -1;
  edge[(number / 4 + 2) % 3] = number / 2 % 2 == 0 ? 1 : -1;
  return edge;
}

}  // namespace

Perlin::Perlin(std::uint64_t seed, double wavelength_um, int octaves)
    : stream_{seed, RandomStage::texture}, octaves_{octaves}, per_um_{2 / wavelength_um} {
  double variance = 0, power = 1;
  for (int i = 0; i < octaves; ++i) {
    variance += kGradientVariance * power;
    power /= kAlpha * kAlpha;
    octave_[static_cast<std::size_t>(i)].place = lattice_place(stream_, i);
  }
  scale_ = 1 / std::sqrt(variance);
}

double Perlin::operator()(const Vector3& point) {
  double sum = 0, amplitude = scale_;
  Vector3 p = per_um_ * point;
  for (int number = 0; number < octaves_; ++number) {
    sum += amplitude * noise(number, p);
    amplitude /= kAlpha;
    p = kBeta * p;
  }
  return sum / std::sqrt(1 + sum * sum);
}

double Perlin::noise(int number, const Vector3& scaled) {
  Octave& octave = octave_[static_cast<std::size_t>(number)];
  const Vector3 point = octave.place(scaled);
  std::array<std::int64_t, 3> cell{};
  Vector3 from{}, fade{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = std::floor(point[axis]), t = point[axis] - low;
    cell[axis] = static_cast<std::int64_t>(low);
    from[axis] = t;
    fade[axis] = t * t * (3 - 2 * t);
  }
  if (cell != octave.cell) {
    octave.cell = cell;
    for (int corner = 0; corner < 8; ++corner)
      octave.gradients[static_cast<std::size_t>(corner)] = edge_of(
          stream_.block(packed_corner(cell, corner), static_cast<std::uint16_t>(number))[0]);
  }
  double sum = 0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    double weight = 1;
    Vector3 to{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool far = (corner >> axis & 1) != 0;
      weight *= far ? fade[axis] : 1 - fade[axis];
      to[axis] = far ? from[axis] - 1 : from[axis];
    }
    sum += weight * dot(octave.gradients[corner], to);
  }
  return sum;
}

}  // namespace synthoscope::simulator
