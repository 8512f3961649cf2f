// SPDX-License-Identifier: MIT
#include "tools/options/scene.hpp"
#include <random>
#include <utility>
#include "simulator/scene/file/scene_file.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

Option seed_row(std::optional<std::int64_t>& seed, std::string otherwise) {
  return whole_row("seed", "N", seed, 0, std::move(otherwise), "seed of all random numbers");
}

Option channel_row(std::optional<std::string>& channel, std::string default_text) {
  return {"channel",
          "NAME",
          std::move(default_text),
          "",
          "name of a channel, for scenes with several",
          [&channel](std::string_view text) { channel = std::string{text}; }};
}

void SceneOptions::describe(OptionTable& table) {
  table.group("Scene");
  table.add(texts_row("set", "KEY=VALUE", overrides,
                      "change a key of the scene, such as optics.na=1.2; may be repeated"));
  table.add(seed_row(seed, "that of the scene, otherwise random and recorded"));
}

simulator::SceneSpec SceneOptions::changed(simulator::SceneSpec scene) const {
  for (const std::string& assignment : overrides) simulator::apply_override(scene, assignment);
  if (seed) scene.seed = seed;
  return scene;
}

simulator::SceneSpec SceneOptions::scene() const {
  simulator::SceneSpec scene = changed(simulator::read_scene(file));
  require_valid(scene);
  return scene;
}

simulator::SceneSpec SceneOptions::scene_of_sweep() const {
  return changed(simulator::read_scene_of_sweep(file));
}

std::int64_t drawn_seed() {
  return std::random_device{}();
}

}  // namespace synthoscope::tools
