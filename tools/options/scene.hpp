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

  /// Returns the scene of the file, changed by --set and --seed. @throws as simulator::read_scene.
  [[nodiscard]] simulator::SceneSpec scene() const;

  /// As `scene`, for a file with a sweep (simulator::read_scene_of_sweep).
  [[nodiscard]] simulator::SceneSpec scene_of_sweep() const;

  /// Returns `scene` after --set and --seed. @throws as simulator::apply_override
  [[nodiscard]] simulator::SceneSpec changed(simulator::SceneSpec scene) const;
};

/// Returns the option --channel. @param default_text  printed by help as the default
Option channel_row(std::optional<std::string>& channel, std::string default_text);

/// Returns the option --seed. @param otherwise  the help's default: the seed without the option
Option seed_row(std::optional<std::int64_t>& seed, std::string otherwise = "random, and recorded");

/// Returns a random seed, short enough to be typed.
std::int64_t drawn_seed();

}  // namespace synthoscope::tools
