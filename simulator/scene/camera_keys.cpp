// SPDX-License-Identifier: MIT
// simulator/scene/camera_keys.cpp — the keys of [camera].
#include "simulator/detector/camera_figures.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

void add_camera_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  const auto add_map = [&](auto... row) {
    keys.push_back(absent_means("drawn from the seed", key(row...)));
  };
  add("camera.preset", "", kAny,
      "a camera with published figures, as the table below has them. Read first of all: sets the "
      "other keys of the table but those that are given, in the file, by --set or for all channels",
      SYNTHOSCOPE_MEMBER(camera.preset));
  keys.back().chooses_defaults = true;
  keys.back().set = [choose = keys.back().set](SceneSpec& scene, const SceneValue& value) {
    choose(scene, value);
    scene.camera = preset_camera(scene.camera.preset);
  };
  add("camera.kind", "", kAny,
      "scmos: every pixel has its own amplifier; ccd: one for all; emccd: one behind a "
      "multiplication register; counting: every pixel counts photons. Read first: sets the other "
      "keys of the table, but those that are given, to figures of such a camera, unless a preset "
      "has",
      SYNTHOSCOPE_MEMBER(camera.kind));
  keys.back().chooses_defaults = true;
  keys.back().set = [choose = keys.back().set](SceneSpec& scene, const SceneValue& value) {
    const CameraSpec before = scene.camera;
    choose(scene, value);
    if (before.preset == CameraPreset::none)
      scene.camera = typical_camera(scene.camera.kind);
    else if (scene.camera.kind != before.kind)
      throw InvalidSpec(
          fmt::format("is {}, and camera.preset \"{}\" is of kind \"{}\"; give that kind, or "
                      "camera.preset \"none\"",
                      toml_of(value), name_in(kCameraPresetNames, before.preset),
                      name_in(kCameraKindNames, before.kind)));
  };
  for (const CameraFigure& figure : kCameraFigures)
    std::visit(
        [&](auto member) {
          const auto [low, high, open] = figure.range;
          add(
              fmt::format("camera.{}", figure.key), figure.unit, Range{low, high, open},
              figure.help, [member](auto& scene) -> auto& { return scene.camera.*member; });
        },
        figure.member);
  add_map("camera.offset_map", "DN", kAny, "image file with the offset of each pixel",
          SYNTHOSCOPE_MEMBER(camera.offset_map));
  add_map("camera.gain_map", "DN per electron", kAny, "image file with the gain of each pixel",
          SYNTHOSCOPE_MEMBER(camera.gain_map));
  add_map("camera.read_noise_map", "electrons", kAny,
          "image file with the read noise of each pixel",
          SYNTHOSCOPE_MEMBER(camera.read_noise_map));
  add_map("camera.dark_current_map", "electrons per second", kAny,
          "image file with the dark current of each pixel of the sensor",
          SYNTHOSCOPE_MEMBER(camera.dark_current_map));
}

}  // namespace synthoscope::simulator
