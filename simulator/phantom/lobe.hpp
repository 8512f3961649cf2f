// SPDX-License-Identifier: MIT
// simulator/phantom/lobe.hpp — a deformed ellipsoid: a nucleus, or a part of one.
#pragma once
#include <array>
#include <cmath>
#include <vector>
#include "simulator/phantom/harmonics.hpp"
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// What makes a lobe; lengths in micrometres.
struct LobeForm {
  Vector3 offset_um{};  ///< of its middle from the middle of the nucleus
  Matrix3 turn{};       ///< from the axes of the grid to those of the lobe
  Vector3 semi_axes_um{};
  double roughness = 0;
  Harmonics harmonics;  ///< without any degree: a plain ellipsoid
};

/// Half the edges of a voxel where the ellipsoid is a unit sphere, and its half diagonal.
struct VoxelShape {
  std::array<Vector3, 3> half_edges{};
  double reach = 0;
};

/// Point p lies inside if |q| <= 1 + roughness h(q / |q|), where q = to_sphere(p). Points are
/// relative to the middle of the nucleus, micrometres.
class Lobe {
 public:
  explicit Lobe(const LobeForm& form);

  /// The same lobe in a nucleus of which `origin_um` has become the middle, which has grown by
  /// `scale`, and to whose axes `turn` leads from those of the grid.
  [[nodiscard]] Lobe moved(const Vector3& origin_um, double scale, const Matrix3& turn) const;

  /// The same lobe, of which each semi-axis has become so many times as long.
  [[nodiscard]] Lobe grown(const Vector3& factors) const;

  [[nodiscard]] bool contains(const Vector3& point) const { return holds(to_sphere(point)); }

  /// Where the ellipsoid is a unit sphere.
  [[nodiscard]] Vector3 to_sphere(const Vector3& point) const {
    return to_sphere_ * (point - form_.offset_um);
  }

  /// A voxel as this lobe sees it, for covered_samples of many equal ones.
  /// @param pitch  its edges, micrometres.
  [[nodiscard]] VoxelShape voxel_shape(const Vector3& pitch) const;

  /// Of the 4 x 4 x 4 points at the centres of equal parts of a voxel, how many lie inside. Parts
  /// that the surface cannot reach are counted as a whole.
  static constexpr int kSamples = 64;
  [[nodiscard]] int covered_samples(const Vector3& centre, const VoxelShape& voxel) const;

  /// Where a point lies against the surface, to first order: exact on it.
  struct Depth {
    double um = 0;      ///< below 0 outside
    Vector3 outward{};  ///< the unit normal
  };
  [[nodiscard]] Depth depth(const Vector3& point) const;

  /// Whether a point is surely deeper; many are, and that is quickly said.
  [[nodiscard]] bool is_surely_below(const Vector3& point, double depth_um) const {
    const Vector3 q = to_sphere(point);
    return thinnest_um_ * (inner_ - std::sqrt(dot(q, q))) > depth_um;
  }

  /// Part of a voxel that lies inside, and that which does so deeper than a layer under the
  /// surface, each within [0, 1]: what the planes leave that touch these surfaces.
  struct LayerShares {
    double all = 0, below = 0;
  };
  [[nodiscard]] LayerShares layer_shares(const Vector3& centre, const Vector3& pitch,
                                         double layer_um) const;

  /// The point of the surface in a direction of the ellipsoid's own sphere, |u| = 1.
  [[nodiscard]] Vector3 surface_point(const Vector3& u) const;

  /// Volume and centroid, exact by quadrature of a polynomial over the sphere.
  struct Moments {
    double volume_um3 = 0;
    Vector3 centroid_um{};
  };
  [[nodiscard]] Moments moments() const;

  /// An upper bound of p . direction over the lobe, for each of separating_directions(); at most
  /// 6 % of the longest radius too large.
  [[nodiscard]] std::vector<double> support() const;

  [[nodiscard]] const LobeForm& form() const { return form_; }
  [[nodiscard]] const Vector3& offset_um() const { return form_.offset_um; }

  /// A box around the middle of the lobe that holds it reaches so far along each axis of the grid.
  [[nodiscard]] Vector3 reach_um() const;

  /// A sphere around the middle of the lobe that holds it, and the radius of one that it holds
  /// where the ellipsoid is a unit sphere.
  [[nodiscard]] double bounding_radius_um() const { return bounding_radius_um_; }
  [[nodiscard]] double inner_radius() const { return inner_; }

 private:
  void bound_surface();
  void settle();  ///< what follows from size, turn and bounds of the surface
  [[nodiscard]] double surface(const Vector3& u) const {
    return 1 + form_.roughness * form_.harmonics(u);
  }
  [[nodiscard]] bool holds(const Vector3& q) const;
  template <int samples>
  [[nodiscard]] int samples_in(const Vector3& q, const VoxelShape& part) const;

  LobeForm form_;
  Matrix3 to_sphere_{};
  double inner_ = 1, outer_ = 1;  ///< bounds of surface()
  double steepness_ = 0;          ///< bound of its slope over the sphere
  double bounding_radius_um_ = 0;
  double thinnest_um_ = 0;  ///< the smallest semi-axis
};

/// The mean of the cube of 1 + roughness h over the sphere: the volume of a lobe over that of its
/// ellipsoid.
double volume_factor(double roughness, const Harmonics& harmonics);

}  // namespace synthoscope::simulator
