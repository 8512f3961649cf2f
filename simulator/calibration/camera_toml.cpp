// SPDX-License-Identifier: MIT
#include "simulator/calibration/camera_toml.hpp"
#include <fmt/format.h>
#include <cmath>
#include <map>
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

std::string with_error(const Measured& figure) {
  return fmt::format("+- {:.2g}", figure.error);
}

/// Returns the remarks to write after keys, by key name.
std::map<std::string, std::string> remarks_on(const Calibration& found) {
  const std::string not_measured = "not measured: typical of the kind, or as given";
  std::map<std::string, std::string> remarks{
      {"gain_dn_per_electron", with_error(found.gain)},
      {"read_noise_electrons", with_error(found.read_noise)},
      {"offset_dn", with_error(found.offset)},
      {"quantum_efficiency", not_measured},
      {"exposure_seconds", "as given, or typical"},
      {"dark_current_electrons_per_second",
       found.dark_current ? with_error(*found.dark_current)
                          : "not measured: what pixels gather in the dark is part of the offset"},
      {"gain_spread", "photo response non-uniformity"},
      {"offset_spread_dn", "dark signal non-uniformity"},
  };
  if (found.camera.dead_pixels > 0)
    remarks["dead_pixels"] = "share that responded to light with less than half of the mean";
  const std::string end = found.saturation_dn ? "where counts stopped following the light"
                                              : "not reached: where the largest count is";
  const bool has_register = found.camera.kind != CameraKind::scmos;
  remarks[has_register ? "register_full_well_electrons" : "full_well_electrons"] = end;
  return remarks;
}

/// Returns the value to six digits, more than any figure is known to.
SceneValue shortened(const SceneValue& value) {
  const auto* number = std::get_if<double>(&value);
  return number ? SceneValue{std::stod(fmt::format("{:.6g}", *number))} : value;
}

}  // namespace

std::string camera_toml(const Calibration& found) {
  std::string text = fmt::format(
      "# Measured by photon transfer from frames of {}x{} pixels; +- one standard error\n",
      found.maps.height, found.maps.width);
  const auto remarks = remarks_on(found);
  SceneSpec scene;
  scene.camera = found.camera;
  SceneSpec typical;
  typical.camera = typical_camera(found.camera.kind);
  for (const SceneKey& key : scene_keys()) {
    if (key.table != "camera") continue;
    const SceneValue value = key.get(scene);
    const auto remark = remarks.find(key.name);
    // Skip keys that still have the kind's value
    if (remark == remarks.end() && key.name != "kind" && value == key.get(typical)) continue;
    text += fmt::format("{} = {}", key.name, toml_of(shortened(value)));
    text += remark == remarks.end() ? "\n" : fmt::format("  # {}\n", remark->second);
  }
  return text;
}

}  // namespace synthoscope::simulator
