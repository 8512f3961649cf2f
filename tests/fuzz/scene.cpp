// SPDX-License-Identifier: MIT
// tests/fuzz/scene.cpp — scenes in TOML: what is read is printed, and read again as the same.
#include <string>
#include "core/base/assert.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  const auto scene = simulator::parse_scene(bytes, "scene.toml");
  const std::string printed = simulator::to_toml(scene);
  SYNTHOSCOPE_ASSERT(simulator::to_toml(simulator::parse_scene(printed, "again.toml")), ==,
                     printed);
  static_cast<void>(simulator::to_json(scene));
}
