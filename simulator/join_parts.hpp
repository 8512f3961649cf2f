// SPDX-License-Identifier: MIT
// simulator/join_parts.hpp — data sets of some frames each become the data set of all of them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/frames.hpp"
#include "simulator/pipeline.hpp"

namespace synthoscope::simulator {

/// A data set that `simulate` made of these frames alone.
struct PartOfSet {
  FrameRange frames;
  std::filesystem::path folder;
};

/// Makes `options.directory`, with the bytes that simulate makes of all frames at once. Images and
/// masks are those of the parts (under a second name where the file system has such, else copied)
/// and tables are theirs one behind the other, so that nothing is imaged again; the preview of a
/// movie is drawn anew. The parts stay.
/// @param scene   that of the parts, with its seed
/// @param parts   whole; in their order they have every frame once
/// @returns the files
/// @throws InvalidSpec  the folder exists and `options.overwrite` is not set.  @throws IoError
std::vector<std::filesystem::path> join_parts(const SceneSpec& scene,
                                              const SimulateOptions& options,
                                              const std::vector<PartOfSet>& parts,
                                              const RunContext& context);

}  // namespace synthoscope::simulator
