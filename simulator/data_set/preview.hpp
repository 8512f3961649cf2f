// SPDX-License-Identifier: MIT
// simulator/data_set/preview.hpp — preview.png: truth, blurred and recorded side by side.
#pragma once
#include "core/run/run_context.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Returns the voxel at the centroid of the object nearest to the grid's middle; the middle if
/// there is no object.
Index3 meeting_point(const Phantom& phantom);

/// Returns the bytes for drawing the preview of so many channels on a grid: pictures of bounded
/// size, and lines of the grid.
std::int64_t preview_bytes(const Grid& grid, std::size_t images, int threads);

/// Draws orthogonal slices (y-x, below it z-x, to its right y-z) through the object nearest to the
/// grid's middle: the phantom in one colour per object, the noise-free photons, the recorded
/// counts; outlines of the labels over the latter two; a scale bar. Reads the finished stacks of a
/// frame of `files`, made from `phantom`. Lengths are true along all axes; brightness runs from
/// each stack's 1 % quantile to its 99.9 % quantile. On axes of more than kMaxSamples voxels every
/// n-th voxel is used. Of several channels, six at most, the recorded counts of each are drawn next
/// to the truth, and then all of these in the colours of their light.
/// @throws IoError    the picture cannot be written.
/// @throws PlanError  preview_bytes are beyond the budget.
void write_preview(const Phantom& phantom, std::int64_t frame, const DataSet& files,
                   const RunContext& context);

/// Draws the same for the first channel of a movie: what was recorded in its first, middle and last
/// frame, tinted by labels, which tracks keep. The slices go through the object that is nearest to
/// the middle in `first`, the phantom of the first frame.
void write_movie_preview(const Phantom& first, const DataSet& files, const RunContext& context);

}  // namespace synthoscope::simulator
