// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/vector3.hpp — vectors and matrices of three doubles, in the order z,
// y, x.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include "core/base/units.hpp"

namespace synthoscope::simulator {

inline constexpr double kPi = 3.14159265358979323846;

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;  ///< rows

constexpr double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

constexpr Vector3 operator*(const Matrix3& m, const Vector3& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}

constexpr Vector3 operator*(double s, const Vector3& v) {
  return {s * v[0], s * v[1], s * v[2]};
}

constexpr Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

constexpr Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

constexpr Matrix3 transposed(const Matrix3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}

constexpr Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = transposed(b);
  Matrix3 product{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      product[row][column] = dot(a[row], columns[column]);
  return product;
}

/// Returns the direction of `v`, |v| > 0.
inline Vector3 unit_vector(const Vector3& v) {
  return (1 / std::sqrt(dot(v, v))) * v;
}

constexpr Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Returns a unit vector perpendicular to one of length 1.
inline Vector3 across(const Vector3& u) {
  const Vector3 aside = std::abs(u[0]) < 0.7 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  return unit_vector(aside - dot(aside, u) * u);
}

constexpr Vector3 vector_of(const Point3& p) {
  return {p.z_um, p.y_um, p.x_um};
}

constexpr Vector3 vector_of(const VoxelSize& v) {
  return {v.z_um, v.y_um, v.x_um};
}

constexpr Point3 point_of(const Vector3& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace synthoscope::simulator
