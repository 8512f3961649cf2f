// SPDX-License-Identifier: MIT
// simulator/scene/camera_keys.cpp — the keys of [camera].
#include "simulator/detector/camera_figures.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

void add_camera_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  const auto add_map = [&](auto... row) {
    keys.push_back(absent_means("random, from the seed", key(row...)));
  };
  add("camera.preset", "", kAny,
      "a camera with published figures, listed in the table below. Read before all other keys: "
      "keys of the table that are not given, in the file, by --set or for all channels, get its "
      "figures",
      SYNTHOSCOPE_MEMBER(camera.preset));
  keys.back().chooses_defaults = true;
  keys.back().set = [choose = keys.back().set](SceneSpec& scene, const SceneValue& value) {
    choose(scene, value);
    scene.camera = preset_camera(scene.camera.preset);
  };
  add("camera.kind", "", kAny,
      "scmos: every pixel has its own amplifier; ccd: one amplifier for all; emccd: one after a "
      "multiplication register; counting: every pixel counts photons. Read before the other keys: "
      "keys of the table that neither the scene nor a preset gives get the figures of such a "
      "camera",
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
