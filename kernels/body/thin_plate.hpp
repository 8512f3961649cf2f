// SPDX-License-Identifier: MIT
// kernels/body/thin_plate.hpp — coordinates by a solved thin-plate spline. Host and device compile
// this file.
#pragma once
#include <cmath>
#include "kernels/body/coordinate.hpp"
#include "kernels/body/table_log.hpp"

namespace synthoscope::kernels {

/// The term of a landmark: its position, and the weights of its bending for z, y and x.
struct ThinPlateTerm {
  double z, y, x;
  double weights[3];
};

/// Returns the bending at the distance whose square is `r2`. For r2 = 0 the logarithm is finite
/// here, so the product is 0.
template <bool kIsPlanar>
inline double bending(double r2) {
  if constexpr (kIsPlanar)
    return r2 * table_log(r2);
  else
    return std::sqrt(r2);
}

/// c(o) = A (1, o) + sum_i w_i U(|o - p_i|) for o centred and scaled to about 1
/// (kernels/coordinates/warp.hpp).
struct ThinPlate {
  Coordinate3 middle;
  double size = 1;           ///< o = (voxel - middle) / size
  double affine[3][4] = {};  ///< factors of 1, x, y, z for z, y, x
  const ThinPlateTerm* terms = nullptr;
  int count = 0;

  /// Computes coordinates of the voxels (z, y, x), (z, y, x + apart), ...; terms are added in
  /// order.
  /// @tparam kIsPlanar  planes stay planes, and distances are within them
  template <bool kIsPlanar, int kCount>
  void row(double z, double y, double x, double apart, CoordinatesOf<kCount>& c) const {
    const double near_z = kIsPlanar ? 0 : (z - middle.z) / size, near_y = (y - middle.y) / size;
    double near_x[kCount];
    for (int k = 0; k < kCount; ++k) {
      near_x[k] = ((x + k * apart) - middle.x) / size;
      c.z[k] = kIsPlanar ? z : affine_part(0, near_z, near_y, near_x[k]);
      c.y[k] = affine_part(1, near_z, near_y, near_x[k]);
      c.x[k] = affine_part(2, near_z, near_y, near_x[k]);
    }
    for (int i = 0; i < count; ++i) {
      const ThinPlateTerm& term = terms[i];
      const double by_z = near_z - term.z, by_y = near_y - term.y;
      const double of_row = kIsPlanar ? by_y * by_y : by_z * by_z + by_y * by_y;
      for (int k = 0; k < kCount; ++k) {
        const double by_x = near_x[k] - term.x;
        const double u = bending<kIsPlanar>(of_row + by_x * by_x);
        if constexpr (!kIsPlanar) c.z[k] += term.weights[0] * u;
        c.y[k] += term.weights[1] * u;
        c.x[k] += term.weights[2] * u;
      }
    }
  }

 private:
  [[nodiscard]] double affine_part(int axis, double near_z, double near_y, double near_x) const {
    const double* const a = affine[axis];
    return ((a[0] + a[1] * near_x) + a[2] * near_y) + a[3] * near_z;
  }
};

}  // namespace synthoscope::kernels
