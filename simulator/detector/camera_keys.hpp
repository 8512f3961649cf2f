// SPDX-License-Identifier: MIT
// simulator/detector/camera_keys.hpp — the keys of [camera].
#pragma once
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "simulator/base/range.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

/// Lists the keys that choose the defaults of all others.
template <class Rows>
void list_camera_choices(Rows& rows) {
  rows.add_preset(
      "preset",
      "a camera with published specifications, listed in the table below. Keys of this table that "
      "are not given, in the file, with --set or for all channels, have its values",
      &CameraSpec::preset,
      [](CameraSpec& camera, const CameraSpec&) { camera = preset_camera(camera.preset); });
  rows.add_preset(
      "kind",
      "scmos: every pixel has its own amplifier; ccd: one amplifier for all; emccd: one after a "
      "multiplication register; counting: every pixel counts photons. Keys of this table that "
      "neither the scene nor a preset gives have values that are typical of this kind",
      &CameraSpec::kind, [](CameraSpec& camera, const CameraSpec& before) {
        if (before.preset == CameraPreset::none)
          camera = typical_camera(camera.kind);
        else if (camera.kind != before.kind)
          throw InvalidSpec(fmt::format(
              "is \"{}\", and camera.preset \"{}\" is of kind \"{}\"; give that kind, "
              "or camera.preset \"none\"",
              name_in(kCameraKindNames, camera.kind), name_in(kCameraPresetNames, before.preset),
              name_in(kCameraKindNames, before.kind)));
      });
}

/// Lists the keys of the sensor's figures.
template <class Rows>
void list_camera_figures(Rows& rows) {
  rows.add("quantum_efficiency", "electrons per photon", Range{0, 1, true},
           "share of photons that become electrons", &CameraSpec::quantum_efficiency);
  rows.add("dark_current_electrons_per_second", "electrons per second", Range{0, 1e9},
           "electrons that a pixel collects without light",
           &CameraSpec::dark_current_electrons_per_second);
  rows.add("exposure_seconds", "s", Range{0, 1e6, true},
           "time in which light and dark current are collected", &CameraSpec::exposure_seconds);
  rows.add("clock_induced_charge_electrons", "electrons", Range{0, 1e6},
           "mean per pixel and readout", &CameraSpec::clock_induced_charge_electrons);
  rows.add("full_well_electrons", "electrons", Range{1, 1e9}, "largest charge of a pixel",
           &CameraSpec::full_well_electrons);
  rows.add("em_gain", "", Range{1, 1e4}, "mean multiplication of an electron, for emccd",
           &CameraSpec::em_gain);
  rows.add("register_full_well_electrons", "electrons", Range{1, 1e9},
           "largest charge of the register, after binning and multiplication, for ccd and emccd",
           &CameraSpec::register_full_well_electrons);
  rows.add("read_noise_electrons", "electrons", Range{0, 1e6}, "rms, mean over pixels",
           &CameraSpec::read_noise_electrons);
  rows.add("read_noise_spread", "", Range{0, 1},
           "standard deviation over pixels, divided by the mean", &CameraSpec::read_noise_spread);
  rows.add("gain_dn_per_electron", "DN per electron", Range{0, 1e6, true}, "mean over pixels",
           &CameraSpec::gain_dn_per_electron);
  rows.add("gain_spread", "", Range{0, 1}, "standard deviation over pixels, divided by the mean",
           &CameraSpec::gain_spread);
  rows.add("offset_dn", "DN", Range{0, 65535}, "counts of an empty pixel, mean over pixels",
           &CameraSpec::offset_dn);
  rows.add("offset_spread_dn", "DN", Range{0, 65535}, "standard deviation over pixels",
           &CameraSpec::offset_spread_dn);
  rows.add("bit_depth", "bits", Range{1, 16},
           "number of bits of a count; the largest count is 2^bit_depth - 1",
           &CameraSpec::bit_depth);
  rows.add(
      "binning", "pixels", Range{1, 16},
      "number of pixels along y and x that are read as one: charge is added for ccd and emccd, "
      "counts for the others",
      &CameraSpec::binning);
  rows.add("dark_current_spread", "", Range{0, 1},
           "standard deviation over pixels, divided by the mean", &CameraSpec::dark_current_spread);
  rows.add("hot_pixels", "", Range{0, 1}, "share of pixels with a larger dark current",
           &CameraSpec::hot_pixels);
  rows.add("hot_dark_current_electrons_per_second", "electrons per second", Range{0, 1e9},
           "mean additional dark current of hot pixels; it is distributed exponentially",
           &CameraSpec::hot_dark_current_electrons_per_second);
  rows.add("dead_pixels", "", Range{0, 1}, "share of pixels that show only their offset",
           &CameraSpec::dead_pixels);
  rows.add("column_offset_spread_dn", "DN", Range{0, 65535},
           "standard deviation over columns of the offset that all pixels of a column share",
           &CameraSpec::column_offset_spread_dn);
  rows.add("column_gain_spread", "", Range{0, 1},
           "standard deviation over columns, divided by the mean, of the gain that all pixels of a "
           "column share",
           &CameraSpec::column_gain_spread);
  rows.add("row_offset_spread_dn", "DN", Range{0, 65535},
           "standard deviation over rows of the offset that all pixels of a row share",
           &CameraSpec::row_offset_spread_dn);
  rows.add("row_noise_electrons", "electrons", Range{0, 1e6},
           "rms of the noise that all pixels of a row share, new in every frame",
           &CameraSpec::row_noise_electrons);
  rows.add("dead_time_ns", "ns", Range{0, 1e9},
           "for counting: time for which a pixel is blind after a count (non-paralyzable)",
           &CameraSpec::dead_time_ns);
  rows.add(
      "one_bit_frames", "", Range{0, 65535},
      "for counting: number of one-bit frames that are added up in an exposure; 0 counts every "
      "photon",
      &CameraSpec::one_bit_frames);
  rows.add("afterpulse_probability", "", Range{0, 0.5},
           "for counting: probability that a count causes a false one, which may cause another",
           &CameraSpec::afterpulse_probability);
}

/// Lists the keys of measured maps.
template <class Rows>
void list_camera_maps(Rows& rows) {
  rows.add_optional("random, from the seed", "offset_map", "DN", kAny,
                    "image file with the offset of each pixel", &CameraSpec::offset_map);
  rows.add_optional("random, from the seed", "gain_map", "DN per electron", kAny,
                    "image file with the gain of each pixel", &CameraSpec::gain_map);
  rows.add_optional("random, from the seed", "read_noise_map", "electrons", kAny,
                    "image file with the read noise of each pixel", &CameraSpec::read_noise_map);
  rows.add_optional("random, from the seed", "dark_current_map", "electrons per second", kAny,
                    "image file with the dark current of each pixel of the sensor",
                    &CameraSpec::dark_current_map);
}

template <class Rows>
void list_camera_keys(Rows& rows) {
  list_camera_choices(rows);
  list_camera_figures(rows);
  list_camera_maps(rows);
}

}  // namespace synthoscope::simulator
