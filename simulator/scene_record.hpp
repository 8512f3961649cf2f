// SPDX-License-Identifier: MIT
// simulator/scene_record.hpp — what a data set says of how it was made.
#pragma once
#include <vector>
#include "core/base/json_fwd.hpp"
#include "simulator/data_set.hpp"

namespace synthoscope::simulator {

/// The program, its version and the scene with every key.
Json record_of(const SceneSpec& scene);

/// What scene.json says: version, effective scene with its seed, what the files are, the grid of
/// the blur and its references, and what the files held that were read, by SceneInputs::record.
/// Equal requests give equal bytes.
Json scene_record(const SceneSpec& scene, const SimulateOptions& options,
                  const std::vector<ImageBlur>& blurs, const Json& inputs);

}  // namespace synthoscope::simulator
