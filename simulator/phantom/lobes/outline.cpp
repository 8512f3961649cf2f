// SPDX-License-Identifier: MIT
#include "simulator/phantom/lobes/outline.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/geometry/sphere.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kLowestDentDegree = 2, kOddDegree = 3;

/// exp(-(l / 4)^2) over the sum of (2 l + 1) exp(-(l / 4)^2) for l = 2 to 6; 0 for l = 0 and 1.
constexpr std::array<double, kMaxDegree + 1> kBell{0,          0,          0.05237638, 0.03831938,
                                                   0.02474085, 0.01409691, 0.00708837};

/// Returns the direction of a dent: any turn about z, and within 20 degrees of the plane.
Vector3 dent_direction(const PhiloxBlock& words) {
  const double z = 0.34 * (2 * uniform32(words[1]) - 1), across = std::sqrt(1 - z * z);
  const auto [cosine, sine] = portable::cosine_and_sine(uniform32(words[0]));
  return {z, across * sine, across * cosine};
}

/// Adds a dent of `depth` around `direction`, by the addition theorem of spherical harmonics.
void indent(Harmonics& h, const Vector3& direction, double depth) {
  for (int l = kLowestDentDegree; l <= kMaxDegree; ++l)
    for (int m = -l; m <= l; ++m) {
      Harmonics one{kMaxDegree};
      one.coefficient(l, m) = 1;
      h.coefficient(l, m) -= depth * kBell[static_cast<std::size_t>(l)] * one(direction);
    }
}

/// Scales `h` down so that 1 + h is nowhere below 0.4.
void keep_open(Harmonics& h) {
  constexpr double kDeepest = 0.6;
  double low = 0;
  for (const auto& u : sphere_cover()) low = std::min(low, h(u));
  if (low >= -kDeepest) return;
  for (int l = 0; l <= h.degree(); ++l)
    for (int m = -l; m <= l; ++m) h.coefficient(l, m) *= kDeepest / -low;
}

}  // namespace

Harmonics random_harmonics(const Draws& draws, int first, int degree) {
  // Degree 1 would move the nucleus and degree 0 scale it; a coefficient's draw does not depend on
  // the highest degree
  Harmonics h{degree};
  double squares = 0;
  for (int l = 2; l <= degree; ++l)
    for (int m = -l; m <= l; ++m) {
      const int n = l * l + l + m;
      const auto word = draws.block(first + n / 4)[static_cast<std::size_t>(n % 4)];
      const double falling = 1 / (l * std::sqrt(static_cast<double>(l) * (2 * l + 1)));
      h.coefficient(l, m) = (2 * uniform32(word) - 1) * falling;
      squares += h.coefficient(l, m) * h.coefficient(l, m);
    }
  const double scale = 1 / std::sqrt(squares);
  for (int l = 2; l <= degree; ++l)
    for (int m = -l; m <= l; ++m) h.coefficient(l, m) *= scale;
  return h;
}

Harmonics outlined(const Harmonics& h, const Outline& outline, const Draws& draws, int first,
                   int odd) {
  if (outline.asymmetry == 0 && outline.indentations == 0) return h;
  Harmonics sum{outline.indentations > 0 ? kMaxDegree : std::max(h.degree(), kOddDegree)};
  for (int l = 0; l <= h.degree(); ++l)
    for (int m = -l; m <= l; ++m) sum.coefficient(l, m) = h.coefficient(l, m);
  const Harmonics drawn = random_harmonics(draws, odd, kOddDegree);
  double squares = 0;
  for (int m = -kOddDegree; m <= kOddDegree; ++m)
    squares += drawn.coefficient(kOddDegree, m) * drawn.coefficient(kOddDegree, m);
  const double scale = outline.asymmetry / std::sqrt(squares);
  for (int m = -kOddDegree; m <= kOddDegree; ++m)
    sum.coefficient(kOddDegree, m) += scale * drawn.coefficient(kOddDegree, m);
  for (int i = 0; i < outline.indentations; ++i) {
    const auto words = draws.block(first + i);
    indent(sum, dent_direction(words), outline.indentation * (0.5 + uniform32(words[2])));
  }
  keep_open(sum);
  return sum;
}

Folds draw_folds(const Creases& creases, const Draws& draws, int first,
                 const Vector3& semi_axes_um) {
  constexpr double kHalfDepth = 0.5412;   // (1 - s^2)^2 = 1/2
  constexpr double kMostTilt = 1.0 / 24;  // in turns
  constexpr double kNarrowest = 0.01, kWidest = 0.7;
  Folds folds;
  for (int i = 0; i < kMostFolds; ++i) {
    const auto words = draws.block(first + 2 * i), more = draws.block(first + 2 * i + 1);
    if (!(uniform32(words[0]) * kMostFolds < creases.count)) continue;
    const double z = 0.3 * (2 * uniform32(words[2]) - 1), level = std::sqrt(1 - z * z);
    const auto turned = portable::cosine_and_sine(uniform32(words[1]));
    const auto [none, sine, cosine] =
        unit_vector({0, turned.sine / semi_axes_um[1], turned.cosine / semi_axes_um[2]});
    const auto tilt = portable::cosine_and_sine(kMostTilt * (2 * uniform32(more[0]) - 1));
    Fold fold;
    fold.middle = {z, level * sine, level * cosine};
    const Vector3 around{0, cosine, -sine}, up = cross(fold.middle, around);
    fold.across = tilt.cosine * around + tilt.sine * up;
    fold.depth = creases.depth * (0.5 + uniform32(words[3]));
    fold.end = 0.5 * uniform32(more[1]) - 0.2;
    Vector3 across_um = fold.across;
    for (std::size_t axis = 0; axis < 3; ++axis) across_um[axis] *= semi_axes_um[axis];
    const double sine_of_width =
        creases.um / (2 * kHalfDepth * std::sqrt(dot(across_um, across_um)));
    fold.half_width = std::min(kWidest, std::max(kNarrowest, sine_of_width));
    folds.all[static_cast<std::size_t>(folds.count++)] = fold;
  }
  return folds;
}

}  // namespace synthoscope::simulator
