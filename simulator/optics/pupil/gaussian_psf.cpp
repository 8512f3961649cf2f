// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/gaussian_psf.hpp"
#include <cmath>
#include <cstddef>
#include <numbers>

namespace synthoscope::simulator {
namespace {

/// Returns the value at s of a polynomial given from its highest coefficient down.
template <std::size_t N>
double polynomial(const double (&coefficients)[N], double s) {
  double value = 0;
  for (const double c : coefficients) value = value * s + c;
  return value;
}

}  // namespace

GaussianWidths gaussian_widths(const OpticsSpec& spec) {
  // Both brackets vanish with the aperture because their terms cancel. With s = sqrt(c) they are
  // polynomials that 1 - s divides: the quotients below are sums of positive terms.
  constexpr double kLateral[] = {3, 6, 9, 12, 8, 4};       // (4 - 7 s^3 + 3 s^7) / (1 - s)^2
  constexpr double kAxial[] = {4, 16, 40, 55, 40, 16, 4};  // the square root's / (1 - s)^4
  const double n = spec.immersion_index,
               nk = n * 2 * std::numbers::pi / (spec.wavelength_nm * 1e-3);
  const double c = std::sqrt((n - spec.na) * (n + spec.na)) / n, s = std::sqrt(c);
  const double one_minus_s = spec.na * spec.na / (n * n * (1 + c) * (1 + s));
  const double top = 1 + s + c;  // (1 - s^3) / (1 - s)
  return {std::sqrt(7 * top / (one_minus_s * polynomial(kLateral, s))) / nk,
          5 * std::sqrt(7.0) * top /
              (std::sqrt(6.0) * nk * one_minus_s * std::sqrt(polynomial(kAxial, s)))};
}

std::vector<double> gaussian_profile(std::int64_t count, double pitch_um, double shift_um,
                                     double sigma_um, bool integrate) {
  std::vector<double> profile;
  const double unit = 1 / (sigma_um * std::numbers::sqrt2);
  for (std::int64_t i = 0; i < count; ++i) {
    const double u = static_cast<double>(i - count / 2) * pitch_um + shift_um;
    if (!integrate) {
      profile.push_back(std::exp(-u * u * unit * unit));
      continue;
    }
    // The difference of two erfc on the far side keeps the digits that two erf near 1 would lose
    const double near = (std::abs(u) - 0.5 * pitch_um) * unit,
                 far = (std::abs(u) + 0.5 * pitch_um) * unit;
    profile.push_back((std::erfc(near) - std::erfc(far)) * 0.5 * std::sqrt(std::numbers::pi) /
                      (far - near));
  }
  return profile;
}

}  // namespace synthoscope::simulator
