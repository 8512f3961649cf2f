// SPDX-License-Identifier: MIT
// fit/twin/smaller_scene.hpp — a scene on a smaller field, for simulations that must be quick.
#pragma once
#include <cstdint>
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Returns the scene on a field that is smaller along y and x, but with all its planes: numbers of
/// objects shrink with the volume of the sample, to one at least, so that densities stay.
/// @param most_voxels  of the grid; fields are not made smaller than `least_side` pixels for it
simulator::SceneSpec smaller_scene(const simulator::SceneSpec& scene, std::int64_t most_voxels,
                                   std::int64_t least_side = 128);

}  // namespace synthoscope::fit
