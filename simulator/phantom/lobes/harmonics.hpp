// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/harmonics.hpp — a smooth function on the unit sphere: a sum of real
// spherical harmonics.
#pragma once
#include <array>
#include <cstddef>
#include "simulator/phantom/geometry/vector3.hpp"

namespace synthoscope::simulator {

inline constexpr int kMaxDegree = 6;

/// Factors of the recurrences
///   P_mm = diagonal(m) s P_{m-1,m-1},   P_lm = a(l,m) z P_{l-1,m} - b(l,m) P_{l-2,m}
/// with s = sqrt(1 - z^2), which is left out here: s^m cos(m phi) is the real part of (x + iy)^m.
struct HarmonicFactors {
  std::array<double, kMaxDegree + 1> diagonal{};
  std::array<std::array<double, kMaxDegree + 1>, kMaxDegree + 1> a{}, b{};
};

/// Returns the factors, which are computed once. Device code keeps its own copy.
const HarmonicFactors& harmonic_factors();

/// h(u) = sum over degrees l <= degree and orders -l <= m <= l of coefficient(l, m) Y_lm(u).
///
/// Y_lm are real and have mean square 1 over the sphere: Y_l0 = P_l0(z), Y_lm = P_lm(z) cos(m phi)
/// and Y_l,-m = P_lm(z) sin(m phi), with phi measured from x to y and P_lm fully normalised. So the
/// mean square of h is the sum of its squared coefficients. Evaluated with + - * alone.
/// @source Holmes, Featherstone, J. Geodesy 76 (2002) 279, eq. 11 and 12,
///         doi:10.1007/s00190-002-0216-2: column recurrence of the normalised functions.
class Harmonics {
 public:
  Harmonics() = default;
  explicit Harmonics(int degree) : degree_{degree} {}

  [[nodiscard]] int degree() const { return degree_; }
  [[nodiscard]] double& coefficient(int l, int m) { return coefficients_[index(l, m)]; }
  [[nodiscard]] double coefficient(int l, int m) const { return coefficients_[index(l, m)]; }

  /// Returns all coefficients, (l, m) at l^2 + l + m; 0 beyond the degree.
  [[nodiscard]] const std::array<double, (kMaxDegree + 1) * (kMaxDegree + 1)>& coefficients()
      const {
    return coefficients_;
  }

  /// Returns h in direction `u`, |u| = 1.
  [[nodiscard]] double operator()(const Vector3& u) const;

 private:
  static constexpr std::size_t index(int l, int m) {
    return static_cast<std::size_t>(l * l + l + m);
  }
  int degree_ = 0;
  std::array<double, (kMaxDegree + 1) * (kMaxDegree + 1)> coefficients_{};
};

/// Returns roughness * h + squareness * c. 1 + c is the surface of a cushion: the surface
/// (x^2 + y^2)^2 + z^4 = 1 over its mean radius, in harmonics up to degree 4, which leave out at
/// most 1.2 % of the radius.
Harmonics cushioned(double roughness, const Harmonics& h, double squareness);

}  // namespace synthoscope::simulator
