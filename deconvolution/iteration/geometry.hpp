// SPDX-License-Identifier: MIT
// deconvolution/iteration/geometry.hpp — where the light that a camera records comes from.
#pragma once
#include "core/base/names.hpp"
#include "core/volume/box.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::deconvolution {

/// What lies beyond the field.
///   extend  light that is estimated as well
///   wrap    the field again: for images that were made by a cyclic convolution
enum class Edge { extend, wrap };
inline constexpr NameTable<Edge, 2> kEdgeNames{{{Edge::extend, "extend"}, {Edge::wrap, "wrap"}}};

/// The field of a camera, and the PSF. Light from outside the field reaches it as far as the PSF
/// does: it belongs to what is estimated, on `estimate_extent` voxels. An estimate of the field
/// alone would have to put that light inside, next to the edges.
/// @source Bertero, Boccacci, Astron. Astrophys. 437 (2005) 369, doi:10.1051/0004-6361:20052717
struct Geometry {
  Extent3 field, kernel;
  Index3 center;  ///< voxel of the kernel that lies on the voxel whose light it spreads
  Edge edge = Edge::extend;
};

/// Returns field + kernel - 1, or the field itself where it wraps.
Extent3 estimate_extent(const Geometry& geometry);

/// Returns the part of the estimate that lies in the field.
Box3 field_in_estimate(const Geometry& geometry);

/// Returns the convolution H: light of the estimate to what the field receives.
fftconv::Problem blur_problem(const Geometry& geometry);

/// Returns its adjoint: <H x, y> = <x, H^T y> for all x on the estimate and y on the field. Both
/// have the same padded transform.
fftconv::Problem adjoint_problem(const Geometry& geometry);

}  // namespace synthoscope::deconvolution
