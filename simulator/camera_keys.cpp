// SPDX-License-Identifier: MIT
// simulator/camera_keys.cpp — the keys of [camera].
#include "simulator/detector/camera_presets.hpp"
#include "simulator/scene_key_rows.hpp"

namespace synthoscope::simulator {

void add_camera_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  const auto add_map = [&](auto... row) {
    keys.push_back(absent_means("drawn from the seed", key(row...)));
  };
  add("camera.preset", "", kAny,
      "a camera with published figures, as the table below has them. Read first of all: sets the "
      "other keys of the table, which may then be changed one by one",
      SYNTHOSCOPE_MEMBER(camera.preset));
  keys.back().chooses_defaults = true;
  keys.back().set = [choose = keys.back().set](SceneSpec& scene, const SceneValue& value) {
    choose(scene, value);
    scene.camera = preset_camera(scene.camera.preset);
  };
  add("camera.kind", "", kAny,
      "scmos: every pixel has its own amplifier; ccd: one for all; emccd: one behind a "
      "multiplication register; counting: every pixel counts photons. Read first: sets the other "
      "keys of the table to figures of such a camera, unless a preset has; by --set those of the "
      "file too",
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
  add("camera.quantum_efficiency", "electrons per photon", Range{0, 1, true},
      "photons that become electrons", SYNTHOSCOPE_MEMBER(camera.quantum_efficiency));
  add("camera.dark_current_electrons_per_second", "electrons per second", Range{0, 1e9},
      "electrons without light", SYNTHOSCOPE_MEMBER(camera.dark_current_electrons_per_second));
  add("camera.exposure_seconds", "s", Range{0, 1e9, true},
      "time that light and dark current gather", SYNTHOSCOPE_MEMBER(camera.exposure_seconds));
  add("camera.clock_induced_charge_electrons", "electrons", Range{0, 1e6},
      "mean of a pixel and readout", SYNTHOSCOPE_MEMBER(camera.clock_induced_charge_electrons));
  add("camera.full_well_electrons", "electrons", Range{1, 1e9}, "most that a pixel holds",
      SYNTHOSCOPE_MEMBER(camera.full_well_electrons));
  add("camera.em_gain", "", Range{1, 1e4}, "mean multiplication of an electron, for emccd",
      SYNTHOSCOPE_MEMBER(camera.em_gain));
  add("camera.register_full_well_electrons", "electrons", Range{1, 1e9},
      "most that the register holds, behind binning and multiplication, for ccd and emccd",
      SYNTHOSCOPE_MEMBER(camera.register_full_well_electrons));
  add("camera.read_noise_electrons", "electrons", Range{0, 1e6}, "rms, mean over pixels",
      SYNTHOSCOPE_MEMBER(camera.read_noise_electrons));
  add("camera.read_noise_spread", "", Range{0, 1}, "standard deviation over pixels, over the mean",
      SYNTHOSCOPE_MEMBER(camera.read_noise_spread));
  add("camera.gain_dn_per_electron", "DN per electron", Range{0, 1e6, true}, "mean over pixels",
      SYNTHOSCOPE_MEMBER(camera.gain_dn_per_electron));
  add("camera.gain_spread", "", Range{0, 1}, "standard deviation over pixels, over the mean",
      SYNTHOSCOPE_MEMBER(camera.gain_spread));
  add("camera.offset_dn", "DN", Range{0, 1e6}, "counts of an empty pixel, mean over pixels",
      SYNTHOSCOPE_MEMBER(camera.offset_dn));
  add("camera.offset_spread_dn", "DN", Range{0, 1e6}, "standard deviation over pixels",
      SYNTHOSCOPE_MEMBER(camera.offset_spread_dn));
  add("camera.bit_depth", "bits", Range{1, 16}, "largest count is 2^bit_depth - 1",
      SYNTHOSCOPE_MEMBER(camera.bit_depth));
  add("camera.binning", "pixels", Range{1, 16},
      "along y and x that make one: charge is added for ccd and emccd, counts for scmos",
      SYNTHOSCOPE_MEMBER(camera.binning));
  add("camera.dark_current_spread", "", Range{0, 1},
      "standard deviation over pixels, over the mean",
      SYNTHOSCOPE_MEMBER(camera.dark_current_spread));
  add("camera.hot_pixels", "", Range{0, 1}, "share of pixels whose dark current is larger",
      SYNTHOSCOPE_MEMBER(camera.hot_pixels));
  add("camera.hot_dark_current_electrons_per_second", "electrons per second", Range{0, 1e9},
      "mean that hot pixels have more; it is distributed exponentially",
      SYNTHOSCOPE_MEMBER(camera.hot_dark_current_electrons_per_second));
  add("camera.dead_pixels", "", Range{0, 1}, "share of pixels that show their offset alone",
      SYNTHOSCOPE_MEMBER(camera.dead_pixels));
  add("camera.column_offset_spread_dn", "DN", Range{0, 65535},
      "standard deviation over columns, of what the offsets of a column have in common",
      SYNTHOSCOPE_MEMBER(camera.column_offset_spread_dn));
  add("camera.column_gain_spread", "", Range{0, 1},
      "standard deviation over columns, over the mean, of what the gains of a column have in "
      "common",
      SYNTHOSCOPE_MEMBER(camera.column_gain_spread));
  add("camera.row_offset_spread_dn", "DN", Range{0, 65535},
      "standard deviation over rows, of what the offsets of a row have in common",
      SYNTHOSCOPE_MEMBER(camera.row_offset_spread_dn));
  add("camera.row_noise_electrons", "electrons", Range{0, 1e6},
      "rms of what all pixels of a row have in common, anew in every frame",
      SYNTHOSCOPE_MEMBER(camera.row_noise_electrons));
  add("camera.dead_time_ns", "ns", Range{0, 1e9},
      "of counting: how long a pixel is blind behind a count (non-paralyzable)",
      SYNTHOSCOPE_MEMBER(camera.dead_time_ns));
  add("camera.one_bit_frames", "", Range{0, 65535},
      "of counting: frames of one bit that an exposure is the sum of; 0 counts every photon",
      SYNTHOSCOPE_MEMBER(camera.one_bit_frames));
  add("camera.afterpulse_probability", "", Range{0, 0.5},
      "of counting: that a count is followed by a false one, and that by another",
      SYNTHOSCOPE_MEMBER(camera.afterpulse_probability));
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
