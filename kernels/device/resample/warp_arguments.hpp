// SPDX-License-Identifier: MIT
// kernels/device/resample/warp_arguments.hpp — arguments of kernels that look up at the coordinates
// of a warp; host and device compile this file.
#pragma once
#include "kernels/device/resample/arguments.hpp"

namespace synthoscope::kernels::device {

/// The displacements of the result's box, in z, y, x order without gaps.
struct DisplacementBox {
  const float *z = nullptr, *y = nullptr, *x = nullptr;  ///< null z if planes stay planes
};

/// @tparam Map  Projective, ThinPlate or DisplacementBox
template <class Map>
struct WarpArguments {
  ResampleArguments lookup;
  Map map;
};

}  // namespace synthoscope::kernels::device
