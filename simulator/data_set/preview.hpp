// SPDX-License-Identifier: MIT
// simulator/data_set/preview.hpp — preview.png: truth, blurred and recorded side by side.
#pragma once
#include "core/run/run_context.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

/// Returns the voxel at the centroid of the object nearest to the grid's middle; the middle if
/// there is no object.
Index3 meeting_point(const Phantom& phantom);

/// Returns the bytes for drawing the preview of a scene with so many channels: pictures of bounded
/// size, and lines of the grid.
std::int64_t preview_bytes(const SceneSpec& scene, std::size_t images, int threads);

/// Draws a frame from three sides (y-x, below it z-x, to its right y-z): the phantom in one colour
/// per object, the noise-free photons, the recorded counts; outlines of the labels over the latter
/// two; a scale bar. Reads the finished stacks of `files`.
///
/// A channel is drawn as slices through the object nearest to the grid's middle. A channel in which
/// has_small_lights() is drawn as the largest values along each axis. The truth is, if any channel
/// is. Titles name the plane, or MAXIMUM. Objects and structures without light in a channel are
/// left out of its panel.
///
/// Lengths are true along all axes; brightness runs from each stack's 1 % quantile to its 99.9 %
/// quantile. Axes of more than kMaxSamples voxels are sampled. Of several channels, six at most,
/// the recorded counts of each are drawn next to the truth, and then all of these in the colours of
/// their light.
/// @param phantom  the frame's, of `timelapse`
/// @throws IoError    the picture cannot be written.
/// @throws PlanError  preview_bytes are beyond the budget.
void write_preview(const Timelapse& timelapse, const Phantom& phantom, std::int64_t frame,
                   const DataSet& files, const RunContext& context);

/// Draws the same for the first channel of a movie: what was recorded in its first, middle and last
/// frame, tinted by labels, which tracks keep. Slices go through the object that is nearest to the
/// middle in the first frame.
void write_movie_preview(const Timelapse& timelapse, const DataSet& files,
                         const RunContext& context);

}  // namespace synthoscope::simulator
