// SPDX-License-Identifier: MIT
#include "simulator/detector/ignored_keys.hpp"
#include <fmt/format.h>
#include "simulator/detector/camera_presets.hpp"

namespace synthoscope::simulator {
namespace {

struct IdleKey {
  const char* key;
  double CameraSpec::*value;
  bool is_idle;
  const char* because;  ///< and what to do
};

}  // namespace

std::string warning_of_ignored_keys(const CameraSpec& s) {
  const char *const gain = "camera.gain_map has the gains: leave it out",
                    *const offset = "camera.offset_map has the offsets: leave it out",
                    *const dark = "camera.dark_current_map has the dark currents: leave it out";
  const IdleKey keys[] = {
      {"dead_pixels", &CameraSpec::dead_pixels, s.gain_map.has_value(), gain},
      {"column_gain_spread", &CameraSpec::column_gain_spread, s.gain_map.has_value(), gain},
      {"column_offset_spread_dn", &CameraSpec::column_offset_spread_dn, s.offset_map.has_value(),
       offset},
      {"row_offset_spread_dn", &CameraSpec::row_offset_spread_dn, s.offset_map.has_value(), offset},
      {"hot_pixels", &CameraSpec::hot_pixels, s.dark_current_map.has_value(), dark},
      {"hot_pixels", &CameraSpec::hot_pixels,
       !s.dark_current_map && s.hot_dark_current_electrons_per_second == 0,
       "camera.hot_dark_current_electrons_per_second is 0: leave it out, or give both"},
      {"hot_dark_current_electrons_per_second", &CameraSpec::hot_dark_current_electrons_per_second,
       !s.dark_current_map && s.hot_pixels == 0,
       "camera.hot_pixels is 0: leave it out, or give both"},
  };
  const CameraSpec usual =
      s.preset == CameraPreset::none ? typical_camera(s.kind) : preset_camera(s.preset);
  std::string said;
  for (const auto& [key, value, is_idle, because] : keys)
    if (is_idle && s.*value > 0 && s.*value != usual.*value)
      said += fmt::format("{}camera.{} changes nothing, since {}", said.empty() ? "" : ", and ",
                          key, because);
  return said;
}

}  // namespace synthoscope::simulator
