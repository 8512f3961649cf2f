// SPDX-License-Identifier: MIT
// kernels/coordinates/warp.hpp — coordinates by homographies, by landmarks and by fields of
// displacements.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "core/volume/view.hpp"
#include "kernels/body/projective.hpp"
#include "kernels/body/thin_plate.hpp"
#include "kernels/coordinates/coordinates.hpp"

namespace synthoscope::kernels {

/// coordinate_i = (P o)_i / (P o)_3 for voxels o = (z, y, x, 1): a flat object seen at an angle.
/// Voxels with a divisor that is not positive have no coordinate: they are not in front of the
/// viewer.
class ProjectiveMap final : public CoordinateMap {
 public:
  using Matrix = std::array<std::array<double, 4>, 4>;

  /// @throws InvalidSpec  a number that is not finite, or a last row of zeros.
  explicit ProjectiveMap(const Matrix& matrix);

  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override;
  [[nodiscard]] CoordinateRange range(const Box3& box) const override;
  [[nodiscard]] WholeAxes whole_axes() const override { return {keeps_planes_, false}; }
  [[nodiscard]] const Projective& body() const { return body_; }

 private:
  Projective body_;
  bool keeps_planes_;
};

/// A point in the result, and where it is in the image.
struct Landmark {
  Coordinate3 result, image;
};

/// The thin-plate spline through landmarks: the map that bends least of all that take each landmark
/// to its position.
///
///     c(o) = A (1, o) + sum_i w_i U(|o - p_i|) ,   U(r) = r^2 log r^2 in planes, r through planes.
///
/// @source  Bookstein, IEEE Trans. Pattern Anal. Mach. Intell. 11 (1989) 567, doi:10.1109/34.24792,
///          eqs. 5 to 7; in three dimensions U = |r|, section VI.
class ThinPlateMap final : public CoordinateMap {
 public:
  /// Planes stay planes if all landmarks have z = 0 in result and image.
  /// @throws InvalidSpec  too few landmarks (3 in planes, 4 through them), two in one place, or all
  ///                      in a line (plane); more than 2000.
  explicit ThinPlateMap(std::span<const Landmark> landmarks);
  ThinPlateMap(const ThinPlateMap&) = delete;
  ThinPlateMap& operator=(const ThinPlateMap&) = delete;

  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override;
  [[nodiscard]] CoordinateRange range(const Box3& box) const override;
  [[nodiscard]] WholeAxes whole_axes() const override { return {is_planar_, false}; }
  /// The terms belong to this.
  [[nodiscard]] const ThinPlate& body() const { return body_; }

 private:
  [[nodiscard]] Coordinate3 brought_near(const Coordinate3& voxel) const;
  [[nodiscard]] Coordinate3 at(const Coordinate3& voxel) const;
  /// Returns the range of a cell, from the coordinate and slope at its middle and the bending
  /// around.
  [[nodiscard]] CoordinateRange cell_range(const Box3& cell) const;

  bool is_planar_;
  std::vector<ThinPlateTerm> terms_;
  ThinPlate body_;
};

/// coordinate = voxel + displacement, in voxels of the image; the field has the result's extent.
class DisplacementMap final : public CoordinateMap {
 public:
  /// The views must outlive this. Each is read once, so that `range` need not read it.
  /// @param z  without data if planes stay planes.
  DisplacementMap(HostView3<const float> z, HostView3<const float> y, HostView3<const float> x);

  /// Returns the bytes that a map keeps apart from its views.
  [[nodiscard]] static std::int64_t kept_bytes(const Extent3& result);

  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override;
  [[nodiscard]] CoordinateRange range(const Box3& box) const override;
  [[nodiscard]] WholeAxes whole_axes() const override { return {!fields_[0].data(), false}; }
  /// Returns the fields of z, y, x.
  [[nodiscard]] const std::array<HostView3<const float>, 3>& fields() const { return fields_; }

 private:
  /// The least and the largest displacement along an axis, in a block of voxels; infinite if one is
  /// NaN.
  struct Bounds {
    float low = 0, high = 0;
  };
  [[nodiscard]] Bounds bounds_of(const HostView3<const float>& field, const Index3& block) const;

  std::array<HostView3<const float>, 3> fields_;
  Extent3 blocks_;  ///< number along each axis
  std::array<std::vector<Bounds>, 3> bounds_;
};

}  // namespace synthoscope::kernels
