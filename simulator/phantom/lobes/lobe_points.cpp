// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/lobe_points.cpp — point and voxel queries of harmonics and lobes;
// compiled for host and devices.
#include <cmath>
#include "simulator/phantom/geometry/half_space.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"
#include "simulator/phantom/lobes/lobe.hpp"

namespace synthoscope::simulator {

double Harmonics::operator()(const Vector3& u) const {
  const HarmonicFactors& factors = harmonic_factors();
  const double z = u[0], y = u[1], x = u[2];
  double sum = 0, sectoral = 1, real = 1, imaginary = 0;
  for (int m = 0; m <= degree_; ++m) {
    const auto column = static_cast<std::size_t>(m);
    sectoral *= factors.diagonal[column];
    double below = 0, here = sectoral;
    for (int l = m; l <= degree_; ++l) {
      if (l > m) {
        const auto row = static_cast<std::size_t>(l);
        const double above = factors.a[row][column] * z * here - factors.b[row][column] * below;
        below = here;
        here = above;
      }
      sum += here * (coefficient(l, m) * real);
      if (m > 0) sum += here * (coefficient(l, -m) * imaginary);
    }
    const double next_real = real * x - imaginary * y;
    imaginary = real * y + imaginary * x;
    real = next_real;
  }
  return sum;
}

bool Lobe::holds(const Vector3& q) const {
  const double square = dot(q, q);
  if (square > outer_ * outer_) return false;
  if (square <= inner_ * inner_) return true;
  const double r = std::sqrt(square);
  return r <= surface((1 / r) * q);
}

int Lobe::covered_samples(const Vector3& centre, const VoxelShape& voxel) const {
  return samples_in<kSamples>(to_sphere(centre), voxel);
}

Lobe::Depth Lobe::depth(const Vector3& point) const {
  // Slopes of the surface across the direction, by finite differences
  constexpr double kStep = 1e-3;
  const Vector3 q = to_sphere(point);
  const double r = std::sqrt(dot(q, q));
  if (r < kStep) return {inner_ * thinnest_um_, form_.turn[0]};
  const Vector3 u = (1 / r) * q;
  const Vector3 one = across(u), other = cross(u, one);
  const auto slope = [&](const Vector3& way) {
    return (surface(unit_vector(u + kStep * way)) - surface(unit_vector(u - kStep * way))) /
           (2 * kStep);
  };
  const Vector3 gradient =
      transposed(to_sphere_) * (u - (1 / r) * (slope(one) * one + slope(other) * other));
  const double steepness = std::sqrt(dot(gradient, gradient));
  return {(surface(u) - r) / steepness, (1 / steepness) * gradient};
}

Lobe::LayerShares Lobe::layer_shares(const Vector3& centre, const Vector3& pitch,
                                     double layer_um) const {
  // In the coordinates of to_sphere, lengths are at most 1 / thinnest_um_ times as long
  const double reach = std::sqrt(dot(pitch, pitch)) / 2;
  const Vector3 q = to_sphere(centre);
  const double r = std::sqrt(dot(q, q));
  if (thinnest_um_ * (inner_ - r) > reach + layer_um) return {1, 1};
  if (thinnest_um_ * (r - outer_) > reach) return {0, 0};
  const Depth at = depth(centre);
  return {plane_share(at.um, at.outward, pitch), plane_share(at.um - layer_um, at.outward, pitch)};
}

/// Returns how many of the samples in a part around `q` the lobe holds: all or none if the surface
/// stays away, otherwise the sum over eight octants.
template <int samples>
int Lobe::samples_in(const Vector3& q, const VoxelShape& part) const {
  const double r = std::sqrt(dot(q, q));
  if (r - part.reach > outer_) return 0;
  if (r + part.reach < inner_) return samples;
  if (r > part.reach) {
    // |q + d| lies between r + u.d and r + u.d + d^2 / 2r; the surface changes with the angle,
    // which its tangent bounds
    const Vector3 u = (1 / r) * q;
    const auto& edge = part.half_edges;
    const double along =
        std::abs(dot(u, edge[0])) + std::abs(dot(u, edge[1])) + std::abs(dot(u, edge[2]));
    const double angle = part.reach / std::sqrt(r * r - part.reach * part.reach);
    const double change = along + steepness_ * angle;
    const double gap = r - surface(u);
    if (gap > change) return 0;
    if (gap < -change - part.reach * part.reach / (2 * r)) return samples;
  }
  VoxelShape octant{part.half_edges, part.reach / 2};
  for (auto& edge : octant.half_edges) edge = 0.5 * edge;
  int covered = 0;
  for (int number = 0; number < 8; ++number) {
    const auto sign = [&](int axis) { return (number >> axis & 1) != 0 ? 1.0 : -1.0; };
    const Vector3 middle = q - sign(2) * octant.half_edges[0] - sign(1) * octant.half_edges[1] -
                           sign(0) * octant.half_edges[2];
    if constexpr (samples == 8)
      covered += holds(middle);
    else
      covered += samples_in<samples / 8>(middle, octant);
  }
  return covered;
}

}  // namespace synthoscope::simulator
