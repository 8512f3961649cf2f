// SPDX-License-Identifier: MIT
// score/spots/psf_slopes.hpp — a PSF and how it changes when a point of light moves.
#pragma once
#include <array>
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::score {

/// A PSF and its derivatives along z, y and x, per voxel, all on the same grid.
struct PsfSlopes {
  Volume<float> psf;
  std::array<Volume<float>, 3> slopes;
  Index3 centre;  ///< the voxel of the point of light
  Reservation counted;
};

/// Computes the derivatives by central differences over eight voxels to both sides, which are right
/// to 1 % up to 0.8 of Nyquist's frequency. Beyond its faces a PSF has the values of the faces.
///
/// Voxels are left out that lie beyond the box around the centre which holds 99 % of the
/// information about each coordinate, the sum of slope^2 / (psf + background). So bounds become at
/// most 0.5 % larger.
/// @param background  light of a pixel without a spot, relative to the peak of a spot; >= 0
/// @source  B. Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids",
///          Mathematics of Computation 51 (1988) 699, table 1.
/// @throws InvalidInput  the PSF has no light.  @throws PlanError  the memory has no room.
PsfSlopes slopes_of(Source& psf, const Index3& centre, double background,
                    const RunContext& context);

}  // namespace synthoscope::score
