// SPDX-License-Identifier: MIT
// fit/texture/texture_keys.hpp — the keys of a scene that say how objects are stained.
#pragma once
#include <set>
#include <string>
#include <vector>
#include "fit/matching/fitted_key.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Returns the keys of the stain that change the images of a scene: those of its nuclei, otherwise
/// those of its cells. Empty if it has neither.
std::vector<FittedKey> texture_keys(const simulator::SceneSpec& scene);

/// Gives a scene the stain of a kind of nuclei, without its shape. Keys in `fixed` stay.
void give_stain(simulator::SceneSpec& scene, simulator::NucleiKind kind,
                const std::set<std::string>& fixed);

/// Makes all contrasts of a stain weaker by a factor, from 1 (as it is) to 0 (nearly smooth): of
/// the texture, lacunae, clumps, envelope and nucleoli. Keys in `fixed` stay.
void weaken_stain(simulator::SceneSpec& scene, double factor, const std::set<std::string>& fixed);

}  // namespace synthoscope::fit
