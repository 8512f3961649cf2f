// SPDX-License-Identifier: MIT
// fit/camera/fit_camera.hpp — the camera from ordinary images, without darks or flat fields.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Measures gain and zero-noise level, and what follows from them, in the noise of all images
/// together: noise_tiles, noise_band, noise_line and estimate_camera say how. Differences of
/// neighbouring planes are used if there are planes, since the fixed pattern of the sensor is not
/// in them. Sets camera.kind, gain_dn_per_electron, offset_dn, read_noise_electrons, their spreads,
/// bit_depth, and full_well_electrons if it must be.
///
/// Refuses images that were changed after the camera recorded them (image_changes.hpp), images with
/// fewer than 30 tiles of 32 x 32 pixels, half overlapping, and noise that scatters far more from
/// tile to tile than light explains.
Findings fit_camera(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
