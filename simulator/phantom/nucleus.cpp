// SPDX-License-Identifier: MIT
#include "simulator/phantom/nucleus.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/phantom/draws.hpp"
#include "simulator/phantom/sphere.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::uint16_t kRadiusDraw = 0, kTextureDraw = 1, kTurnDraw = 2, kHarmonicsDraw = 64;

/// Coefficients of degrees 2 ... degree whose squares add up to 1. Degree 1 would move the nucleus
/// and degree 0 scale it. A coefficient's draw does not depend on the highest degree.
Harmonics random_harmonics(const Draws& draws, int degree) {
  Harmonics h{degree};
  double squares = 0;
  for (int l = 2; l <= degree; ++l)
    for (int m = -l; m <= l; ++m) {
      const int n = l * l + l + m;
      const auto word = draws.block(kHarmonicsDraw + n / 4)[static_cast<std::size_t>(n % 4)];
      const double falling = 1 / (l * std::sqrt(static_cast<double>(l) * (2 * l + 1)));
      h.coefficient(l, m) = (2 * uniform32(word) - 1) * falling;
      squares += h.coefficient(l, m) * h.coefficient(l, m);
    }
  const double scale = 1 / std::sqrt(squares);
  for (int l = 2; l <= degree; ++l)
    for (int m = -l; m <= l; ++m) h.coefficient(l, m) *= scale;
  return h;
}

/// What a function of degree n on the sphere can exceed its samples on sphere_cover() by, relative
/// to the largest absolute sample. Along any great circle it is a trigonometric polynomial, whose
/// second derivative is at most n^2 times its largest absolute value (Bernstein), and that value
/// at most the largest sample over cos(n angle) (Riesz).
double sampling_excess(int n) {
  const double reach = n * kCoverAngle;
  const double cosine = 1 - reach * reach / 2;  // a lower bound of cos(reach)
  return reach * reach / (2 * cosine);
}

/// Where in separating_directions() the two directions of each axis stand.
struct AxisDirections {
  std::array<std::size_t, 3> down{}, up{};
};

AxisDirections find_axes() {
  const auto& directions = separating_directions();
  AxisDirections found;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (directions[i][axis] == -1) found.down[axis] = i;
      if (directions[i][axis] == 1) found.up[axis] = i;
    }
  return found;
}

}  // namespace

Nucleus Nucleus::draw(const NucleiSpec& spec, std::uint64_t seed, std::int64_t number) {
  const Draws draws{RandomStream{seed, RandomStage::phantom}, static_cast<std::uint64_t>(number)};
  Nucleus nucleus;
  const auto texture = draws.block(kTextureDraw);
  nucleus.texture_seed_ = (std::uint64_t{texture[0]} << 32) | texture[1];
  nucleus.turn_ = spec.orientation == Orientation::flat ? flat_turn(draws, kTurnDraw)
                                                        : random_turn(draws, kTurnDraw);
  nucleus.harmonics_ = random_harmonics(draws, static_cast<int>(spec.degree));
  nucleus.roughness_ = spec.roughness;
  nucleus.shape(spec, spec.radius_um * (1 + spec.radius_spread * bell(draws.block(kRadiusDraw))));
  nucleus.bound_surface();
  nucleus.bound_extent();
  return nucleus;
}

void Nucleus::shape(const NucleiSpec& spec, double radius_um) {
  // Integrals over the body are integrals of powers of surface() over the sphere
  double cubed = 0;
  Vector3 moment{};
  for (const auto& [u, weight] : sphere_quadrature()) {
    const double r = surface(u), r3 = r * r * r;
    cubed += weight * r3;
    for (std::size_t axis = 0; axis < 3; ++axis) moment[axis] += weight * r3 * r * u[axis];
  }

  // Scale the axes so that the body has the volume of a sphere of radius_um
  const Vector3 ratios = vector_of(spec.axis_ratios);
  const double scale = radius_um / cube_root(ratios[0] * ratios[1] * ratios[2] * cubed);
  semi_axes_um_ = scale * ratios;
  volume_um3_ = 4 * kPi / 3 * semi_axes_um_[0] * semi_axes_um_[1] * semi_axes_um_[2] * cubed;
  Vector3 own_shift{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    own_shift[axis] = semi_axes_um_[axis] * 3 * moment[axis] / (4 * cubed);
    to_sphere_[axis] = (1 / semi_axes_um_[axis]) * turn_[axis];
  }
  centroid_shift_ = transposed(turn_) * own_shift;
}

void Nucleus::bound_surface() {
  double low = 0, high = 0;
  for (const auto& u : sphere_cover()) {
    const double h = harmonics_(u);
    low = std::min(low, h);
    high = std::max(high, h);
  }
  const double largest = std::max(-low, high);
  const double excess = sampling_excess(harmonics_.degree()) * largest;
  inner_ = 1 + roughness_ * (low - excess);
  outer_ = 1 + roughness_ * (high + excess);
  steepness_ = roughness_ * harmonics_.degree() * (largest + excess);
}

void Nucleus::bound_extent() {
  const auto& directions = separating_directions();
  std::vector<double> largest(directions.size(), 0), smallest(directions.size(), 0);
  const Matrix3 back = transposed(turn_);
  double radius = 0;
  for (const auto& u : sphere_cover()) {
    const double r = surface(u);
    const Vector3 own{r * semi_axes_um_[0] * u[0], r * semi_axes_um_[1] * u[1],
                      r * semi_axes_um_[2] * u[2]};
    const Vector3 p = back * own;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const double along = dot(p, directions[i]);
      largest[i] = std::max(largest[i], along);
      smallest[i] = std::min(smallest[i], along);
    }
  }
  for (const double axis : semi_axes_um_) radius = std::max(radius, axis);
  bounding_radius_um_ = outer_ * radius;

  // p . direction is a function of one degree more than the surface
  const double excess = sampling_excess(harmonics_.degree() + 1);
  support_.resize(directions.size());
  for (std::size_t i = 0; i < directions.size(); ++i)
    support_[i] = largest[i] + excess * std::max(largest[i], -smallest[i]);
}

Bounds Nucleus::bounds() const {
  static const AxisDirections kAxes = find_axes();
  Bounds bounds{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds.low[axis] = centre_[axis] - support_[kAxes.down[axis]];
    bounds.high[axis] = centre_[axis] + support_[kAxes.up[axis]];
  }
  return bounds;
}

Vector3 Nucleus::centroid() const {
  return {centre_[0] + centroid_shift_[0], centre_[1] + centroid_shift_[1],
          centre_[2] + centroid_shift_[2]};
}

bool Nucleus::contains(const Vector3& point) const {
  return holds(to_sphere_ * (point - centre_));
}

bool Nucleus::holds(const Vector3& q) const {
  const double square = dot(q, q);
  if (square > outer_ * outer_) return false;
  if (square <= inner_ * inner_) return true;
  const double r = std::sqrt(square);
  return r <= surface((1 / r) * q);
}

VoxelShape Nucleus::voxel_shape(const Vector3& pitch) const {
  VoxelShape voxel;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vector3 half{};
    half[axis] = pitch[axis] / 2;
    voxel.half_edges[axis] = to_sphere_ * half;
  }
  const auto& [z, y, x] = voxel.half_edges;
  for (const double sign_y : {-1.0, 1.0})
    for (const double sign_x : {-1.0, 1.0}) {
      const Vector3 corner = z - sign_y * y - sign_x * x;
      voxel.reach = std::max(voxel.reach, std::sqrt(dot(corner, corner)));
    }
  return voxel;
}

double Nucleus::coverage(const Vector3& centre, const VoxelShape& voxel) const {
  constexpr int kSamples = 64;
  return covered_samples(to_sphere_ * (centre - centre_), voxel, kSamples) / double{kSamples};
}

/// Of the `samples` in a part around `q`, how many the nucleus holds: all or none where the surface
/// stays away, else those of its eight octants.
int Nucleus::covered_samples(const Vector3& q, const VoxelShape& part, int samples) const {
  if (samples == 1) return holds(q);
  const double r = std::sqrt(dot(q, q));
  if (r - part.reach > outer_) return 0;
  if (r + part.reach < inner_) return samples;
  if (r > part.reach) {
    // |q + d| lies between r + u.d and r + u.d + d^2 / 2r; the surface changes with the
    // angle, of which the tangent is a bound
    const Vector3 u = (1 / r) * q;
    const auto& [z, y, x] = part.half_edges;
    const double along = std::abs(dot(u, z)) + std::abs(dot(u, y)) + std::abs(dot(u, x));
    const double angle = part.reach / std::sqrt(r * r - part.reach * part.reach);
    const double change = along + steepness_ * angle;
    const double gap = r - surface(u);
    if (gap > change) return 0;
    if (gap < -change - part.reach * part.reach / (2 * r)) return samples;
  }
  VoxelShape octant{part.half_edges, part.reach / 2};
  for (auto& edge : octant.half_edges) edge = 0.5 * edge;
  const auto& [z, y, x] = octant.half_edges;
  int covered = 0;
  for (const double sign_z : {-1.0, 1.0})
    for (const double sign_y : {-1.0, 1.0})
      for (const double sign_x : {-1.0, 1.0})
        covered += covered_samples(q - sign_z * z - sign_y * y - sign_x * x, octant, samples / 8);
  return covered;
}

}  // namespace synthoscope::simulator
