// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture.hpp"
#include <cmath>

namespace synthoscope::simulator {
namespace {

/// Variance over one lattice cell of interpolated uniform values in [-1, 1]: 1/3 times the mean of
/// w^2 + (1-w)^2 per axis, which is 26/35 for w = 3 t^2 - 2 t^3.
constexpr double kValueVariance = (26.0 / 35) * (26.0 / 35) * (26.0 / 35) / 3;

double mixed(double a, double b, double w) {
  return a + w * (b - a);
}

}  // namespace

Texture::Texture(std::uint64_t seed, double wavelength_um, int octaves)
    : stream_{seed, RandomStage::texture},
      octaves_{octaves},
      scale_{1 / std::sqrt(octaves * kValueVariance)} {
  double per_um = 2 / wavelength_um;
  for (int i = 0; i < octaves; ++i) {
    Octave& octave = octave_[static_cast<std::size_t>(i)];
    octave.per_um = per_um;
    octave.place = lattice_place(stream_, i);
    per_um *= 2;
  }
}

double Texture::operator()(const Vector3& point) {
  const double s = field(point);
  return s / std::sqrt(1 + s * s);
}

double Texture::field(const Vector3& point) {
  double sum = 0;
  for (int number = 0; number < octaves_; ++number) sum += noise(number, point);
  return scale_ * sum;
}

double Texture::noise(int number, const Vector3& point) {
  Octave& octave = octave_[static_cast<std::size_t>(number)];
  const Vector3 at = octave.place(octave.per_um * point);
  std::array<std::int64_t, 3> cell{};
  Vector3 w{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = std::floor(at[axis]), t = at[axis] - low;
    cell[axis] = static_cast<std::int64_t>(low);
    w[axis] = t * t * (3 - 2 * t);
  }
  if (cell != octave.cell) load(octave, number, cell);
  const auto& c = octave.corners;
  const double low = mixed(mixed(c[0], c[1], w[0]), mixed(c[2], c[3], w[0]), w[1]);
  const double high = mixed(mixed(c[4], c[5], w[0]), mixed(c[6], c[7], w[0]), w[1]);
  return mixed(low, high, w[2]);
}

void Texture::load(Octave& octave, int number, const std::array<std::int64_t, 3>& cell) const {
  octave.cell = cell;
  for (int corner = 0; corner < 8; ++corner) {
    const auto words =
        stream_.block(packed_corner(cell, corner), static_cast<std::uint16_t>(number));
    octave.corners[static_cast<std::size_t>(corner)] = 2 * uniform32(words[0]) - 1;
  }
}

}  // namespace synthoscope::simulator
