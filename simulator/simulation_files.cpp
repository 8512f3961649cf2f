// SPDX-License-Identifier: MIT
#include "simulator/simulation_files.hpp"
#include <set>
#include <utility>
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/sweep/folder.hpp"

namespace synthoscope::simulator {
namespace {

void add_channels_of(const SceneSpec& scene, const SimulationPlace& place,
                     std::vector<SceneSpec>& all) {
  for (Channel& channel : channels_of(scene, place.channel))
    all.push_back(std::move(channel.scene));
}

}  // namespace

void name_files(imageio::RunFiles& files, const SceneSpec& scene, const SimulationPlace& place) {
  std::vector<SceneSpec> channels;
  add_channels_of(scene, place, channels);
  files.add_input("file of the scene", input_files_of(channels));
  files.add_output_folder("data set", place.directory);
}

void name_files(imageio::RunFiles& files, const std::vector<SweepSet>& sets,
                const SimulationPlace& place) {
  std::vector<SceneSpec> channels;
  for (const SweepSet& set : sets) add_channels_of(set.scene, place, channels);
  files.add_input("file of the scene", input_files_of(channels));
  // Sets of an earlier run that this one leaves out are removed
  std::set<std::string> folders;
  for (const SweepSet& set : sets) folders.insert(set.folder);
  for (auto& older : recorded_sets(place.directory)) folders.insert(std::move(older));
  for (const std::string& folder : folders)
    files.add_output_folder("data set", place.directory / folder);
  for (const char* file : {kSweepRecord, kSweepTableFile, kSweepShards})
    files.add_output_file("table", place.directory / file);
}

}  // namespace synthoscope::simulator
