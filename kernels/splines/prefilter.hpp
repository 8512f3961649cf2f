// SPDX-License-Identifier: MIT
// kernels/splines/prefilter.hpp — the coefficients of the cubic B-spline that passes through the
// voxels of an image.
#pragma once
#include "core/run/task_pool.hpp"
#include "core/vector/vector_level.hpp"
#include "kernels/body/spline.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

/// The axes along which the spline runs, in addition to x.
struct SplineAxes {
  bool z = true, y = true;
};

/// Returns the voxels that contribute to the coefficients at `positions`.
Box3 spline_positions(const SplineAxes& axes, const Box3& positions);

/// Returns the box whose voxels fit_spline keeps while it makes `positions`: at least these, except
/// under Boundary::wrap, where a box as long as the image serves for any.
Box3 spline_kept(Boundary boundary, const SplineAxes& axes, const Box3& positions,
                 const Extent3& image);

/// Returns the bytes that fit_spline allocates for boxes of this many planes.
std::int64_t spline_working_bytes(std::int64_t planes, int threads);

/// Computes coefficients c with sum_k c(k) B3(x - k) = f(x) at all voxels,
///
///     c = -6 z sum_i sum_j z^(i+j) f(. + i - j) ,   i, j = 0, 1, 2, ...
///
/// one axis after another: x, y, z. Sixteen terms of a geometric series are the product of four
/// factors 1 + (z S)^m, m = 1, 2, 4, 8, with S the shift by a voxel; the factors of both series are
/// applied together. In float32: within 5e-7 of the largest voxel around, times 3 for each axis,
/// the gain of the fit.
/// @param window  holds held_box(boundary, spline_positions(axes, positions), window.image).
/// @param fill    value outside under Boundary::zero.
/// @param kept    of extent spline_kept(...).size; undefined outside `positions`.
/// @source  Unser, Aldroubi, Eden, IEEE Trans. Signal Process. 41 (1993) 834,
///          doi:10.1109/78.193221, section II.
void fit_spline(const Window& window, Boundary boundary, const SplineAxes& axes,
                const Box3& positions, float fill, HostView3<float> kept, VectorLevel level,
                TaskPool& pool);

}  // namespace synthoscope::kernels
