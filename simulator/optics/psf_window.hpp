// SPDX-License-Identifier: MIT
// simulator/optics/psf_window.hpp — how many voxels a PSF gets when nobody says.
#pragma once
#include "core/base/units.hpp"
#include "core/run/task_pool.hpp"
#include "simulator/optics/gaussian_psf.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/optics/radial_model.hpp"

namespace synthoscope::simulator {

/// @throws InvalidSpec if the volume is empty or the lateral limit is even or not positive.
void require_valid(const PsfSizing& sizing);

/// Up and down the volume's depth, and wide enough for 99 % of the energy of the farthest plane
/// and of the plane in focus, within what `sizing` allows, and no smaller than it asks. Each axis
/// odd.
Extent3 choose_window(const RadialModel& model, const OpticsSpec& spec, const VoxelSize& pitch,
                      const PsfSizing& sizing, double origin_um, TaskPool& pool);

/// Five standard deviations around the emitter's image, within what `sizing` allows. Each axis odd.
Extent3 choose_window(const GaussianWidths& width, const VoxelSize& pitch, const PsfSizing& sizing,
                      double origin_um, const ImageShift& shift);

/// Wide enough for what reaches `reach` from the middle, within what `sizing` allows. Each axis
/// odd.
Extent3 choose_window(const Point3& reach, const VoxelSize& pitch, const PsfSizing& sizing);

}  // namespace synthoscope::simulator
