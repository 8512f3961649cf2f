// SPDX-License-Identifier: MIT
// simulator/simulation_files.hpp — lists the files that a simulation reads, makes and uses on the
// way.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "imageio/run/run_files.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// The folder of a simulation, and the channel to which it is limited, if any.
struct SimulationPlace {
  std::filesystem::path directory;
  std::optional<std::string> channel = {};
};

/// Adds the files that a scene names, and the folder of its data set.
/// @throws InvalidSpec  the scene has no channel of that name.
void name_files(imageio::RunFiles& files, const SceneSpec& scene, const SimulationPlace& place);

/// Adds the same for a sweep: its tables and each of its data sets. Other files in the folder stay.
void name_files(imageio::RunFiles& files, const std::vector<SweepSet>& sets,
                const SimulationPlace& place);

}  // namespace synthoscope::simulator
