// SPDX-License-Identifier: MIT
// tools/options/scene.hpp — options of every command that reads a scene, and the seed it runs with.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "simulator/scene/scene.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct SceneOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::optional<std::int64_t> seed;

  void describe(OptionTable& table);

  /// The scene of the file with its overrides, then --seed. @throws as simulator::read_scene.
  [[nodiscard]] simulator::SceneSpec scene() const;

  /// The same as simulator::read_scene_of_sweep gives it.
  [[nodiscard]] simulator::SceneSpec scene_of_sweep() const;

 private:
  [[nodiscard]] simulator::SceneSpec changed(simulator::SceneSpec scene) const;
};

/// Which channel of a scene; `otherwise` says what is done where none is given.
Option channel_row(std::optional<std::string>& channel, std::string otherwise);

/// Which seed is used; `otherwise` says which one if none is given.
Option seed_row(std::optional<std::int64_t>& seed, std::string otherwise = "random, and recorded");

/// A random seed, short enough to be typed again.
std::int64_t drawn_seed();

}  // namespace synthoscope::tools
