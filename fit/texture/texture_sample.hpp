// SPDX-License-Identifier: MIT
// fit/texture/texture_sample.hpp — a scene whose simulation shows many objects in few voxels.
#pragma once
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// How objects lie in a sample.
struct Crowding {
  double share = 0;       ///< of the field that they cover at least, 0 ... 0.5
  bool is_whole = false;  ///< none is cut by the border of a plane
};

/// Returns a scene with the same objects on a small field. They lie closer together if the real
/// ones leave much of it empty, and without clusters; the background is even. Their shapes and
/// stain, the optics and the camera stay.
/// @param objects  about so many
simulator::SceneSpec texture_sample(const simulator::SceneSpec& scene, double objects,
                                    const Crowding& crowding);

}  // namespace synthoscope::fit
