// SPDX-License-Identifier: MIT
#include "simulator/phantom/lobes/lobe.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/sphere.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns by how much a function of degree n on the sphere can exceed its samples on
/// sphere_cover(), relative to the largest absolute sample. Along any great circle the function is
/// a trigonometric polynomial, whose second derivative is at most n^2 times its largest absolute
/// value (Bernstein), and that value at most the largest sample over cos(n angle) (Riesz).
double sampling_excess(int n) {
  const double reach = n * kCoverAngle;
  const double cosine = 1 - reach * reach / 2;  // a lower bound of cos(reach)
  return reach * reach / (2 * cosine);
}

/// Integrals of powers of the surface over the sphere, which give the integrals over a lobe.
struct PowerSums {
  double cubed = 0;
  Vector3 moment{};

  PowerSums(double roughness, const Harmonics& harmonics, const Folds& folds) {
    for (const auto& [u, weight] : sphere_quadrature()) {
      const double r = 1 + roughness * harmonics(u), r3 = r * r * r;
      cubed += weight * r3;
      for (std::size_t axis = 0; axis < 3; ++axis) moment[axis] += weight * r3 * r * u[axis];
    }
    if (folds.count > 0) leave_out(folds, roughness, harmonics);
  }

  /// Subtracts what folds take. They are narrow, so the rule has more nodes.
  void leave_out(const Folds& folds, double roughness, const Harmonics& harmonics) {
    const std::vector<Vector3>& directions = fine_directions();
    const double weight = 1 / static_cast<double>(directions.size());
    for (const Vector3& u : directions) {
      const double taken = folds(u);
      if (taken == 0) continue;
      const double r = 1 + roughness * harmonics(u), r3 = r * r * r;
      const double left = 1 - taken, left3 = left * left * left;
      cubed -= weight * r3 * (1 - left3);
      for (std::size_t axis = 0; axis < 3; ++axis)
        moment[axis] -= weight * (r3 * r) * (1 - left3 * left) * u[axis];
    }
  }
};

}  // namespace

double volume_factor(double roughness, const Harmonics& harmonics, const Folds& folds) {
  return PowerSums{roughness, harmonics, folds}.cubed;
}

Lobe::Lobe(const LobeForm& form) : form_{form} {
  bound_surface();
  settle();
}

Lobe Lobe::moved(const Vector3& origin_um, double scale, const Matrix3& turn) const {
  Lobe lobe = *this;
  lobe.form_.offset_um = transposed(turn) * (scale * (form_.offset_um - origin_um));
  lobe.form_.semi_axes_um = scale * form_.semi_axes_um;
  lobe.form_.turn = form_.turn * turn;
  lobe.settle();
  return lobe;
}

Lobe Lobe::grown(const Vector3& factors) const {
  Lobe lobe = *this;
  for (std::size_t axis = 0; axis < 3; ++axis) lobe.form_.semi_axes_um[axis] *= factors[axis];
  lobe.settle();
  return lobe;
}

void Lobe::settle() {
  double radius = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    to_sphere_[axis] = (1 / form_.semi_axes_um[axis]) * form_.turn[axis];
    radius = std::max(radius, form_.semi_axes_um[axis]);
  }
  bounding_radius_um_ = outer_ * radius;
  thinnest_um_ = *std::min_element(form_.semi_axes_um.begin(), form_.semi_axes_um.end());
}

Lobe::Moments Lobe::moments() const {
  const PowerSums sums{form_.roughness, form_.harmonics, form_.folds};
  const Vector3& axes = form_.semi_axes_um;
  Vector3 own_shift{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    own_shift[axis] = axes[axis] * 3 * sums.moment[axis] / (4 * sums.cubed);
  return {4 * kPi / 3 * axes[0] * axes[1] * axes[2] * sums.cubed,
          form_.offset_um + transposed(form_.turn) * own_shift};
}

void Lobe::bound_surface() {
  double low = 0, high = 0;
  if (form_.harmonics.degree() > 0)
    for (const auto& u : sphere_cover()) {
      const double h = form_.harmonics(u);
      low = std::min(low, h);
      high = std::max(high, h);
    }
  const double largest = std::max(-low, high);
  const double excess = sampling_excess(form_.harmonics.degree()) * largest;
  inner_ = 1 + form_.roughness * (low - excess);
  outer_ = 1 + form_.roughness * (high + excess);
  steepness_ = form_.roughness * form_.harmonics.degree() * (largest + excess);
  if (form_.folds.count == 0) return;
  inner_ *= 1 - form_.folds.deepest();
  steepness_ += outer_ * form_.folds.steepest();
}

Vector3 Lobe::reach_um() const {
  Vector3 squares{};
  for (std::size_t own = 0; own < 3; ++own)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double along = form_.semi_axes_um[own] * form_.turn[own][axis];
      squares[axis] += along * along;
    }
  return {outer_ * std::sqrt(squares[0]), outer_ * std::sqrt(squares[1]),
          outer_ * std::sqrt(squares[2])};
}

std::vector<double> Lobe::support() const {
  const auto& directions = separating_directions();
  const Vector3& axes = form_.semi_axes_um;
  std::vector<double> bounds(directions.size());

  // Folds only take away. A plain ellipsoid has a formula
  if (form_.harmonics.degree() == 0) {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const Vector3 own = form_.turn * directions[i];
      const Vector3 scaled{axes[0] * own[0], axes[1] * own[1], axes[2] * own[2]};
      bounds[i] = std::sqrt(dot(scaled, scaled)) + dot(form_.offset_um, directions[i]);
    }
    return bounds;
  }

  // Directions i and last - i are opposite: the least along one is the most along the other
  const std::size_t last = directions.size() - 1, half = directions.size() / 2;
  std::vector<double> largest(half, 0), smallest(half, 0);
  const Matrix3 back = transposed(form_.turn);
  for (const auto& u : sphere_cover()) {
    const double r = unfolded(u);
    const Vector3 own{r * axes[0] * u[0], r * axes[1] * u[1], r * axes[2] * u[2]};
    const Vector3 p = back * own;
    for (std::size_t i = 0; i < half; ++i) {
      const double along = dot(p, directions[i]);
      largest[i] = std::max(largest[i], along);
      smallest[i] = std::min(smallest[i], along);
    }
  }
  // p . direction is a function of one degree more than the surface
  const double excess = sampling_excess(form_.harmonics.degree() + 1);
  for (std::size_t i = 0; i < half; ++i) {
    const double margin = excess * std::max(largest[i], -smallest[i]);
    const double offset = dot(form_.offset_um, directions[i]);
    bounds[i] = largest[i] + margin + offset;
    bounds[last - i] = -smallest[i] + margin - offset;
  }
  return bounds;
}

Vector3 Lobe::surface_point(const Vector3& u) const {
  Vector3 own = surface(u) * u;
  for (std::size_t axis = 0; axis < 3; ++axis) own[axis] *= form_.semi_axes_um[axis];
  return form_.offset_um + transposed(form_.turn) * own;
}

VoxelShape Lobe::voxel_shape(const Vector3& pitch) const {
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

}  // namespace synthoscope::simulator
