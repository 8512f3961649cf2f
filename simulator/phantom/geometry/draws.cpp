// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/draws.hpp"
#include <cmath>
#include <numbers>

namespace synthoscope::simulator {
namespace {

/// A uniform point of the square from -1 to 1, and its squared distance from the middle. Points
/// with a squared distance of at most 1 are uniform in the unit disc.
struct SquarePoint {
  double a = 0, b = 0, square = 0;
};
SquarePoint square_point(std::uint32_t first, std::uint32_t second) {
  const double a = 2 * uniform32(first) - 1, b = 2 * uniform32(second) - 1;
  return {a, b, a * a + b * b};
}

}  // namespace

double cube_root(double v) {
  double x = v > 1 ? v : 1;
  for (int i = 0; i < 200; ++i) {
    const double next = (2 * x + v / (x * x)) / 3;
    if (!(next < x)) break;
    x = next;
  }
  return x;
}

double bell(const PhiloxBlock& words) {
  double sum = 0;
  for (const auto word : words) sum += uniform32(word);
  return (sum - 2) * std::sqrt(3.0);
}

Matrix3 rotation_of(double w, const Vector3& imaginary) {
  const auto [i1, i2, i3] = imaginary;
  return {{{1 - 2 * (i2 * i2 + i3 * i3), 2 * (i1 * i2 - i3 * w), 2 * (i1 * i3 + i2 * w)},
           {2 * (i1 * i2 + i3 * w), 1 - 2 * (i1 * i1 + i3 * i3), 2 * (i2 * i3 - i1 * w)},
           {2 * (i1 * i3 - i2 * w), 2 * (i2 * i3 + i1 * w), 1 - 2 * (i1 * i1 + i2 * i2)}}};
}

Matrix3 flat_turn(const Draws& draws, int first) {
  for (int i = 0; i < kTurnTries; ++i) {
    const auto words = draws.block(first + i);
    const auto p = square_point(words[0], words[1]);
    if (p.square > 1 || p.square == 0) continue;
    const double length = std::sqrt(p.square), c = p.a / length, s = p.b / length;
    return {{{1, 0, 0}, {0, c, s}, {0, -s, c}}};
  }
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

Matrix3 random_turn(const Draws& draws, int first) {
  for (int i = 0; i < kTurnTries; ++i) {
    const auto words = draws.block(first + i);
    const auto p = square_point(words[0], words[1]), q = square_point(words[2], words[3]);
    if (p.square > 1 || q.square > 1 || q.square == 0) continue;
    const double scale = std::sqrt((1 - p.square) / q.square);
    return rotation_of(p.a, {p.b, q.a * scale, q.b * scale});
  }
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

double ball_radius_um(double volume_um3) {
  return cube_root(volume_um3 * (3 / (4 * std::numbers::pi)));
}

}  // namespace synthoscope::simulator
