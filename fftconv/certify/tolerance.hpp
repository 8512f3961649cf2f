// SPDX-License-Identifier: MIT
// fftconv/certify/tolerance.hpp — what a stored voxel may differ from its recomputed value.
#pragma once
#include "core/volume/pixel_type.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// How many voxels of a result are recomputed. Among millions of voxels there are larger rounding
/// errors than in a sample.
enum class Certified { sample, all };

/// Returns how far a stored voxel may be from its recomputed value: 1e-6 (in double precision
/// 1e-14) of `peak`, the largest sum of |image| |kernel|, twice that where all voxels are
/// recomputed; and the rounding of `type`.
double certified_tolerance(Certified extent, Precision precision, PixelType type, double peak);

/// Returns `value` within the range of `type`, as StoreAs clips it.
double clipped_to(PixelType type, double value);

}  // namespace synthoscope::fftconv
