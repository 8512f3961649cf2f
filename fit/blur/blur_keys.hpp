// SPDX-License-Identifier: MIT
// fit/blur/blur_keys.hpp — the keys that soften edges and put light around objects.
#pragma once
#include <string>
#include <vector>
#include "fit/blur/blur_statistics.hpp"
#include "fit/matching/fitted_key.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Returns the largest aperture that an objective with the immersion of these optics has.
double largest_aperture(const simulator::OpticsSpec& optics);

/// Returns the keys of a scene that what is measured tells, without those that the user gave: the
/// aperture; the waist of a light sheet, from edges along z; how far a plane is out of focus; how
/// flat nuclei are on top, from levels within them; and the halo.
std::vector<FittedKey> blur_keys(const StageTask& task, const simulator::SceneSpec& scene,
                                 const BlurMeasure& measure, bool with_halo);

bool is_focus(const FittedKey& key);

/// Puts a plane slightly out of focus if its focus is fitted: in focus, a small change of focus
/// changes nothing, and the search would not begin.
void leave_focus(const std::vector<FittedKey>& keys, simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
