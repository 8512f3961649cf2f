// SPDX-License-Identifier: MIT
// tests/fuzz/camera.cpp — cameras in TOML: alone, or of a scene with channels.
#include "core/base/error.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"

void synthoscope::fuzz::read(std::string_view bytes) {
  try {
    static_cast<void>(simulator::parse_camera(bytes, "camera.toml", true, "red"));
  } catch (const Error&) {
    // It need not have that channel
  }
  static_cast<void>(simulator::parse_camera(bytes, "camera.toml"));
}
