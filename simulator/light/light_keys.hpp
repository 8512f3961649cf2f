// SPDX-License-Identifier: MIT
// simulator/light/light_keys.hpp — the keys of [illumination] and [pattern].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/light/pattern_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_illumination_keys(Rows& rows) {
  rows.add("falloff", "", Range{0, 1},
           "share of the light that is missing in the corners; it increases with the "
           "square of the distance from the middle",
           &IlluminationSpec::falloff);
  rows.add_optional("none", "flat_field", "", kAny,
                    "image file of the grid's size along y and x that multiplies the "
                    "light, such as a measured flat field divided by its mean",
                    &IlluminationSpec::flat_field);
  rows.add("dose", "", Range{0, 1e6, true},
           "factor for all light, of objects and background: the power of the lamp",
           &IlluminationSpec::dose);
  rows.add_optional("none: the dose is given", "snr", "", Range{0, 1e6, true},
                    "signal-to-noise ratio of the median object, in place of a dose: the dose is "
                    "found from the first frames, of which there are up to 8, or 1 of a movie",
                    &IlluminationSpec::snr);
  rows.add("photons_per", "", kAny,
           "unit of the photons of objects and background: exposure, per exposure, "
           "however long it is; second, per second of camera.exposure_seconds",
           &IlluminationSpec::photons_per);
}

template <class Rows>
void list_pattern_keys(Rows& rows) {
  rows.add(
      "kind", "", kAny,
      "stripes of the excitation: none; two-beam, with the same period at all depths; three-beam, "
      "with this period and twice the period, which fades and returns along z. Frame 0 is the "
      "first raw image of a set, the next frames have the next phases, and the angle changes after "
      "all phases; with time.interval_seconds all raw images show the same objects",
      &PatternSpec::kind);
  rows.add_optional("excitation_nm / (1.8 na)", "period_nm", "nm", Range{0, 1e9, true},
                    "period of the finest stripes, in the sample", &PatternSpec::period_nm);
  rows.add("angles", "", Range{1, 32},
           "number of directions of the stripes, evenly over half a turn", &PatternSpec::angles);
  rows.add("first_angle_degrees", "degrees", Range{-360, 360},
           "angle of the first direction, perpendicular to the stripes, from x towards y",
           &PatternSpec::first_angle_degrees);
  rows.add_optional(
      "3 for two beams, 5 for three", "phases", "", Range{1, 32},
      "number of positions of the stripes in each direction, evenly over the longest period",
      &PatternSpec::phases);
  rows.add("first_phase_degrees", "degrees", Range{-360, 360},
           "phase of the longest period, in the middle of the field; at 0 it is brightest there",
           &PatternSpec::first_phase_degrees);
  rows.add("contrast", "", Range{0, 1}, "share of the light that forms the stripes",
           &PatternSpec::contrast);
}

}  // namespace synthoscope::simulator
