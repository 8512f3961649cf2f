// SPDX-License-Identifier: MIT
// kernels/device/warp_arguments.hpp — what kernels that look up at the coordinates of a warp are
// told; read by the compiler of the host and by that of the device.
#pragma once
#include "kernels/device/resample_arguments.hpp"

namespace synthoscope::kernels::device {

/// A box of a field of displacements, that of the result: in z, y, x order without gaps.
struct DisplacementBox {
  const float *z = nullptr, *y = nullptr, *x = nullptr;  ///< no z where planes stay planes
};

/// @tparam Map  Projective, ThinPlate or DisplacementBox
template <class Map>
struct WarpArguments {
  ResampleArguments lookup;
  Map map;
};

}  // namespace synthoscope::kernels::device
