// SPDX-License-Identifier: MIT
// simulator/scene/fitted_sizes.hpp — sizes that a scene leaves out, made smaller where their
// defaults would not fit.
#pragma once
#include <string>
#include <vector>
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Makes sizes that `scene` does not give fit: nuclei and cells that lie inside into the sample,
/// nuclei of cells into their cells. A size stays at least half of its default, so that what is far
/// too large is refused later.
/// @param spec  objects of `scene`; changed
void fit_sizes(const SceneSpec& scene, PhantomSpec& spec);

/// Gives a scene the sizes that its objects have.
void take_fitted_sizes(SceneSpec& scene);

/// Returns a sentence for every size of a scene that was made to fit.
std::vector<std::string> notes_on_fitted_sizes(const SceneSpec& scene);

}  // namespace synthoscope::simulator
