// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/lobe.hpp — a deformed ellipsoid: a nucleus, or a part of one.
#pragma once
#include <array>
#include <cmath>
#include <vector>
#include "simulator/phantom/geometry/vector3.hpp"
#include "simulator/phantom/lobes/fold.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {

/// Parameters of a lobe; lengths in micrometres.
struct LobeForm {
  Vector3 offset_um{};  ///< of its middle, relative to the middle of the nucleus
  Matrix3 turn{};       ///< from the grid's axes to the lobe's
  Vector3 semi_axes_um{};
  double roughness = 0;
  Harmonics harmonics;  ///< degree 0: a plain ellipsoid
  Folds folds = {};
};

/// Half edges and half diagonal of a voxel, in coordinates in which the ellipsoid is a unit sphere.
struct VoxelShape {
  std::array<Vector3, 3> half_edges{};
  double reach = 0;
};

/// Point p lies inside if |q| <= (1 + roughness h(u)) (1 - folds(u)), where q = to_sphere(p) and
/// u = q / |q|. Points are relative to the middle of the nucleus, micrometres.
class Lobe {
 public:
  explicit Lobe(const LobeForm& form);

  /// Returns this lobe in a nucleus whose middle is now `origin_um` and that has grown by `scale`;
  /// `turn` leads from the grid's axes to the nucleus'.
  [[nodiscard]] Lobe moved(const Vector3& origin_um, double scale, const Matrix3& turn) const;

  /// Returns this lobe with each semi-axis multiplied by its factor.
  [[nodiscard]] Lobe grown(const Vector3& factors) const;

  [[nodiscard]] bool contains(const Vector3& point) const { return holds(to_sphere(point)); }

  /// Returns a point in coordinates in which the ellipsoid is a unit sphere.
  [[nodiscard]] Vector3 to_sphere(const Vector3& point) const {
    return to_sphere_ * (point - form_.offset_um);
  }

  /// Returns a voxel in the coordinates of to_sphere, for covered_samples of many equal voxels.
  /// @param pitch  its edges, micrometres.
  [[nodiscard]] VoxelShape voxel_shape(const Vector3& pitch) const;

  /// Returns how many of the 4 x 4 x 4 points at the centres of equal parts of a voxel lie inside.
  /// Parts that the surface cannot reach are counted as a whole.
  static constexpr int kSamples = 64;
  [[nodiscard]] int covered_samples(const Vector3& centre, const VoxelShape& voxel) const;

  /// Position of a point relative to the surface, to first order; exact on it.
  struct Depth {
    double um = 0;      ///< below 0 outside
    Vector3 outward{};  ///< the unit normal
  };
  [[nodiscard]] Depth depth(const Vector3& point) const;

  /// Returns true only for points deeper than `depth_um`, but not for all of them: a fast test.
  [[nodiscard]] bool is_certainly_below(const Vector3& point, double depth_um) const {
    const Vector3 q = to_sphere(point);
    return thinnest_um_ * (inner_ - std::sqrt(dot(q, q))) > depth_um;
  }

  /// Part of a voxel that lies inside, and the part deeper than a layer under the surface, each in
  /// [0, 1]; both surfaces are replaced by their tangent planes.
  struct LayerShares {
    double all = 0, below = 0;
  };
  [[nodiscard]] LayerShares layer_shares(const Vector3& centre, const Vector3& pitch,
                                         double layer_um) const;

  /// Returns the point of the surface in direction `u` of the unit sphere of to_sphere, |u| = 1.
  [[nodiscard]] Vector3 surface_point(const Vector3& u) const;

  /// Volume and centroid, exact by quadrature of a polynomial over the sphere; what folds take is
  /// within 1e-4 of the volume.
  struct Moments {
    double volume_um3 = 0;
    Vector3 centroid_um{};
  };
  [[nodiscard]] Moments moments() const;

  /// Returns an upper bound of p . direction over the lobe, for each of separating_directions(); at
  /// most 6 % of the longest radius too large.
  [[nodiscard]] std::vector<double> support() const;

  [[nodiscard]] const LobeForm& form() const { return form_; }
  [[nodiscard]] const Vector3& offset_um() const { return form_.offset_um; }

  /// Returns the half edges of a box, along the grid's axes around the middle of the lobe, that
  /// contains it.
  [[nodiscard]] Vector3 reach_um() const;

  /// Return the radius of a sphere around the middle that contains the lobe and, in the coordinates
  /// of to_sphere, of one that the lobe contains.
  [[nodiscard]] double bounding_radius_um() const { return bounding_radius_um_; }
  [[nodiscard]] double inner_radius() const { return inner_; }

 private:
  void bound_surface();
  void settle();  ///< computes what follows from size, turn and bounds of the surface
  [[nodiscard]] double unfolded(const Vector3& u) const {
    return 1 + form_.roughness * form_.harmonics(u);
  }
  [[nodiscard]] double surface(const Vector3& u) const {
    const double r = unfolded(u);
    return form_.folds.count == 0 ? r : r * (1 - form_.folds(u));
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

/// Returns the mean of (1 + roughness h)^3 (1 - folds)^3 over the sphere: the volume of a lobe over
/// its ellipsoid's.
double volume_factor(double roughness, const Harmonics& harmonics, const Folds& folds = {});

}  // namespace synthoscope::simulator
