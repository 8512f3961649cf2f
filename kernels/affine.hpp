// SPDX-License-Identifier: MIT
// kernels/affine.hpp — coordinates by a matrix: shifts, rotations, scales, shears and all that is
// made of them.
#pragma once
#include <array>
#include <optional>
#include "kernels/coordinates.hpp"

namespace synthoscope::kernels {

/// coordinate = A voxel + b, both in voxels in the order z, y, x. Row i makes coordinate i;
/// `rows[i][3]` is b. It goes from the result to the image: what looks twice as large has 1/2 in A.
struct Affine {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  friend bool operator==(const Affine&, const Affine&) = default;

  /// ((z a0 + y a1) + x a2) + b, in this order, as scipy.ndimage has it: a voxel on the edge of
  /// the image is then on the same side of it.
  [[nodiscard]] double at(int axis, double z, double y, double x) const {
    const auto& a = rows[static_cast<std::size_t>(axis)];
    return ((z * a[0] + y * a[1]) + x * a[2]) + a[3];
  }
};

/// Whether each coordinate depends on its own axis alone: axes are scaled and shifted.
bool is_diagonal(const Affine& affine);
/// Whether every plane of the result is looked up along z alike, and all planes are looked up along
/// y and x alike.
bool keeps_planes(const Affine& affine);

/// First `second`, then `first` on its coordinates.
Affine compose(const Affine& first, const Affine& second);
/// @throws InvalidSpec  A is singular.
Affine inverse(const Affine& affine);

/// Turns the picture by `degrees` in the plane across `axis` (0 z, 1 y, 2 x) about its centre:
/// with a < b the axes of that plane and offsets from the centres of image and result,
/// a_image = cos a + sin b, b_image = -sin a + cos b, as scipy.ndimage.rotate has it.
/// @param unit  the size of a voxel along z, y, x: an angle is one in space.
Affine rotation(int axis, double degrees, const Extent3& image, const Extent3& result,
                const Coordinate3& unit);

/// A voxel of the result every `step` voxels of the image, with the first face where it is:
/// coordinate = (voxel + 1/2) step - 1/2.
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
