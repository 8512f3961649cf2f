// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/sphere.hpp"
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kSphereSteps = 32;  ///< in half a turn along z, and in a whole turn around it

/// Returns cos(pi k / 32) for 0 <= k <= 64, by halving angles.
std::vector<double> cosines() {
  std::vector<double> c(2 * kSphereSteps + 1, 0);
  c[0] = 1;
  c[kSphereSteps / 2] = 0;
  for (int step = kSphereSteps / 4; step >= 1; step /= 2)
    for (int k = step; k < kSphereSteps / 2; k += 2 * step) {
      // cos of the mean of two known angles, from their sum and difference
      const double sum = c[static_cast<std::size_t>(k - step)];
      const double other = c[static_cast<std::size_t>(k + step)];
      const double half = c[static_cast<std::size_t>(step)];
      c[static_cast<std::size_t>(k)] =
          k == step ? std::sqrt((1 + other) / 2) : (sum + other) / (2 * half);
    }
  for (int k = 0; k < kSphereSteps / 2; ++k)
    c[static_cast<std::size_t>(kSphereSteps - k)] = -c[static_cast<std::size_t>(k)];
  for (int k = 0; k < kSphereSteps; ++k)
    c[static_cast<std::size_t>(2 * kSphereSteps - k)] = c[static_cast<std::size_t>(k)];
  return c;
}

/// Returns the weights of Clenshaw and Curtis on the nodes cos(pi k / 32), for the mean over
/// [-1, 1].
std::vector<double> clenshaw_curtis(const std::vector<double>& c) {
  std::vector<double> weights(kSphereSteps + 1);
  for (int k = 0; k <= kSphereSteps; ++k) {
    double sum = 0;
    for (int j = 1; j <= kSphereSteps / 2; ++j) {
      const double b = j == kSphereSteps / 2 ? 1 : 2;
      sum += b / (4.0 * j * j - 1) * c[static_cast<std::size_t>(2 * j * k % (2 * kSphereSteps))];
    }
    const double end = k == 0 || k == kSphereSteps ? 1 : 2;
    weights[static_cast<std::size_t>(k)] = end * (1 - sum) / (2 * kSphereSteps);
  }
  return weights;
}

std::vector<SphereNode> make_quadrature() {
  const auto c = cosines();
  const auto weights = clenshaw_curtis(c);
  std::vector<SphereNode> nodes;
  for (std::size_t k = 0; k <= kSphereSteps; ++k) {
    const double z = c[k], r = std::sqrt((1 - z) * (1 + z));
    for (std::size_t a = 0; a < kSphereSteps; ++a) {
      const double cosine = c[2 * a], sine = c[(2 * a + 3 * kSphereSteps / 2) % (2 * kSphereSteps)];
      nodes.push_back({{z, r * sine, r * cosine}, weights[k] / kSphereSteps});
    }
  }
  return nodes;
}

/// Returns the centres of squares on the faces of a cube, seen from its middle; the worst square is
/// the one in the middle of a face, whose corner is sqrt(2)/30 away.
std::vector<Vector3> make_cover() {
  constexpr int kSquares = 30;
  std::vector<Vector3> cover;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      for (int i = 0; i < kSquares; ++i)
        for (int j = 0; j < kSquares; ++j) {
          Vector3 v{};
          v[axis] = side;
          v[(axis + 1) % 3] = (2.0 * i + 1) / kSquares - 1;
          v[(axis + 2) % 3] = (2.0 * j + 1) / kSquares - 1;
          cover.push_back(unit_vector(v));
        }
  return cover;
}

std::vector<Vector3> make_separating_directions() {
  std::vector<Vector3> directions;
  for (int z = -2; z <= 2; ++z)
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x)
        if (std::gcd(std::gcd(std::abs(z), std::abs(y)), std::abs(x)) == 1)
          directions.push_back(unit_vector(
              {static_cast<double>(z), static_cast<double>(y), static_cast<double>(x)}));
  return directions;
}

}  // namespace

const std::vector<SphereNode>& sphere_quadrature() {
  static const auto kNodes = make_quadrature();
  return kNodes;
}

std::vector<Vector3> spread_directions(std::size_t count) {
  constexpr double kGoldenTurn = 0.6180339887498949;
  std::vector<Vector3> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double place = static_cast<double>(i) + 0.5;
    const double z = 1 - 2 * place / static_cast<double>(count), across = std::sqrt(1 - z * z);
    const auto [cosine, sine] = portable::cosine_and_sine(kGoldenTurn * place);
    all.push_back({z, across * sine, across * cosine});
  }
  return all;
}

const std::vector<Vector3>& fine_directions() {
  static const auto kDirections = spread_directions(16384);
  return kDirections;
}

const std::vector<Vector3>& sphere_cover() {
  static const auto kCover = make_cover();
  return kCover;
}

const std::vector<Vector3>& separating_directions() {
  static const auto kDirections = make_separating_directions();
  return kDirections;
}

}  // namespace synthoscope::simulator
