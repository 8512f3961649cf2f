// SPDX-License-Identifier: MIT
// simulator/share/join_parts.hpp — joins data sets of some frames each to the data set of all
// frames.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/base/frames.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// A data set that `simulate` made of these frames only.
struct PartOfSet {
  FrameRange frames;
  std::filesystem::path folder;
};

/// Makes `options.directory`, with the bytes that simulate makes of all frames at once. Nothing is
/// imaged again: images and masks of the parts are used (under a second name if the file system has
/// hard links, otherwise copied), and their tables are concatenated. The preview of a movie is
/// drawn anew. The parts stay.
/// @param scene   the scene of the parts, with its seed
/// @param parts   whole; in their order they have every frame once
/// @returns the files
/// @throws InvalidSpec  the folder exists and `options.overwrite` is not set.  @throws IoError
std::vector<std::filesystem::path> join_parts(const SceneSpec& scene,
                                              const SimulateOptions& options,
                                              const std::vector<PartOfSet>& parts,
                                              const RunContext& context);

}  // namespace synthoscope::simulator
