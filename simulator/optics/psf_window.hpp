// SPDX-License-Identifier: MIT
// simulator/optics/psf_window.hpp — how many voxels a PSF gets if no size is given.
#pragma once
#include "core/base/units.hpp"
#include "core/run/task_pool.hpp"
#include "simulator/optics/models/radial_model.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/optics/pupil/gaussian_psf.hpp"

namespace synthoscope::simulator {

/// Checks `sizing`.
/// @throws InvalidSpec  the volume is empty or too deep, or the lateral limit is even or not
///                      positive.
void require_valid(const PsfSizing& sizing);

/// Returns a window that reaches the volume's depth up and down, wide enough for 99 % of the energy
/// of the farthest plane and of the plane in focus, within the bounds of `sizing`. Each axis is
/// odd.
Extent3 choose_window(const RadialModel& model, const OpticsSpec& spec, const VoxelSize& pitch,
                      const PsfSizing& sizing, double origin_um, TaskPool& pool);

/// Returns a window of five standard deviations around the emitter's image, within what `sizing`
/// allows. Each axis is odd.
Extent3 choose_window(const GaussianWidths& width, const VoxelSize& pitch, const PsfSizing& sizing,
                      double origin_um, const ImageShift& shift);

/// Returns a window wide enough for light within `reach` of the middle, within what `sizing`
/// allows. Each axis is odd.
Extent3 choose_window(const Point3& reach, const VoxelSize& pitch, const PsfSizing& sizing);

}  // namespace synthoscope::simulator
