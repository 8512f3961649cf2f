// SPDX-License-Identifier: MIT
// simulator/data_set/scene_record.hpp — what a data set records about how it was made.
#pragma once
#include <vector>
#include "core/base/json_fwd.hpp"
#include "simulator/data_set/data_set.hpp"

namespace synthoscope::simulator {

/// Returns the program, its version and the scene with every key, but without newer keys that are
/// at their defaults.
Json record_of(const SceneSpec& scene);

/// Returns the content of scene.json: version, effective scene with its seed, the kinds of files,
/// how each image is blurred, its references, and the content of the files that were read, from
/// SceneInputs::record. Equal requests give equal bytes.
Json scene_record(const SceneSpec& scene, const SimulateOptions& options,
                  const std::vector<ImageBlur>& blurs, const Json& inputs);

}  // namespace synthoscope::simulator
