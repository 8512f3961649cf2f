// SPDX-License-Identifier: MIT
// simulator/set_standing.hpp — whether a data set lies there already, whole and as it would be
// made.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include "fftconv/plan.hpp"
#include "simulator/pipeline.hpp"

namespace synthoscope::simulator {

/// absent: nothing has the name. finished: scene.json is what would be written, to the byte, and
/// every file is there, which are renamed into place together. other: anything else.
enum class Standing { absent, finished, other };

/// Of `options.directory`, for `scene` with its seed when it is blurred by `plan`.
Standing standing_of(const SceneSpec& scene, const SimulateOptions& options,
                     const fftconv::Plan& plan);

/// What a small file holds; nothing where it cannot be read.
std::string text_in(const std::filesystem::path& path);

/// The seed of the record `file` in `folder`, scene.json or sweep.json; none if it has none.
std::optional<std::int64_t> recorded_seed(const std::filesystem::path& file);

}  // namespace synthoscope::simulator
