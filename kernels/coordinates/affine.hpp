// SPDX-License-Identifier: MIT
// kernels/coordinates/affine.hpp — coordinates by a matrix: shifts, rotations, scales, shears and
// combinations of them.
#pragma once
#include <array>
#include <optional>
#include "kernels/coordinates/coordinates.hpp"

namespace synthoscope::kernels {

/// coordinate = A voxel + b, both in voxels in the order z, y, x. Row i makes coordinate i;
/// `rows[i][3]` is b. Maps the result to the image: an image that is enlarged twice has 1/2 in A.
struct Affine {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  friend bool operator==(const Affine&, const Affine&) = default;

  /// ((z a0 + y a1) + x a2) + b, in this order, as in scipy.ndimage: a voxel on the edge of the
  /// image is then on the same side of the edge as there.
  [[nodiscard]] double at(int axis, double z, double y, double x) const {
    const auto& a = rows[static_cast<std::size_t>(axis)];
    return ((z * a[0] + y * a[1]) + x * a[2]) + a[3];
  }
};

/// Returns whether each coordinate depends on its own axis alone: axes are scaled and shifted.
bool is_diagonal(const Affine& affine);
/// Returns whether the z coordinate depends on z alone, and the y and x coordinates do not depend
/// on z.
bool keeps_planes(const Affine& affine);

/// @throws InvalidSpec  A is singular.
Affine inverse(const Affine& affine);

/// Turns the image by `degrees` in the plane across `axis` (0 z, 1 y, 2 x) about its centre. With
/// axes a < b of that plane and offsets from the centres of image and result,
///     a_image = cos a + sin b,   b_image = -sin a + cos b,   as in scipy.ndimage.rotate.
/// @param unit  the size of a voxel along z, y, x: the angle is one in space.
Affine rotation(int axis, double degrees, const Extent3& image, const Extent3& result,
                const Coordinate3& unit);

/// Returns a map with one voxel of the result every `step` voxels of the image. The first face
/// stays in place: coordinate = (voxel + 1/2) step - 1/2.
Affine resizing(const Coordinate3& step);

class AffineMap final : public CoordinateMap {
 public:
  explicit AffineMap(const Affine& affine);

  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
           const CoordinateRow& to) const override;
  [[nodiscard]] CoordinateRange range(const Box3& box) const override;
  [[nodiscard]] WholeAxes whole_axes() const override;
  [[nodiscard]] const Affine& affine() const { return affine_; }

 private:
  Affine affine_;
};

}  // namespace synthoscope::kernels
