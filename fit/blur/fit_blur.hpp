// SPDX-License-Identifier: MIT
// fit/blur/fit_blur.hpp — the optics of real images, by simulated images that are as sharp.
#pragma once
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Finds optics.na; of a stack of a light sheet also optics.sheet_waist_um; and, if objects of the
/// real images have another halo than those of the scene, optics.glare_share and optics.glare_um.
/// The wavelength, the indices and the model are kept. Shapes and light should be those of the
/// images already. A power law of any exponent times the spectrum counts as texture, not as blur.
/// Without points and edges the spectrum is all there is, and intervals are wider. Simulated fields
/// are smaller than the real ones, with the same densities. With a measured PSF nothing is fitted.
/// @throws PlanError, Interrupted, and InvalidSpec if the scene cannot be simulated
Findings fit_blur(const StageTask& task, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
