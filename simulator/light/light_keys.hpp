// SPDX-License-Identifier: MIT
// simulator/light/light_keys.hpp — the keys of [background], [medium], [illumination] and
// [pattern].
#pragma once
#include "simulator/base/background_spec.hpp"
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
                    "signal-to-noise ratio that the median object is to have; the dose for it is "
                    "found, from the first 8 frames at most, or from the first of a movie",
                    &IlluminationSpec::snr);
  rows.add("photons_per", "", kAny,
           "unit of the photons of objects and background: exposure, per exposure, "
           "however long it is; second, per second of camera.exposure_seconds",
           &IlluminationSpec::photons_per);
}

template <class Rows>
void list_background_keys(Rows& rows) {
  rows.add("gradient", "", Range{0, 2},
           "change of the background from one end of the field to the other, divided by its mean",
           &BackgroundSpec::gradient);
  rows.add("gradient_degrees", "degrees", Range{-360, 360},
           "direction in which it increases, from x towards y", &BackgroundSpec::gradient_degrees);
  rows.add("field_deviation", "", Range{0, 2},
           "standard deviation of a smooth random field, divided by the background, such as that "
           "of uneven medium or of haze from afar",
           &BackgroundSpec::field_deviation);
  rows.add("field_um", "um", Range{0, kHuge, true},
           "correlation length of this field: the distance at which the correlation of two points "
           "has fallen to 0.61",
           &BackgroundSpec::field_um);
  rows.add("grain_deviation", "", Range{0, 2},
           "standard deviation in the image of a fine random field, divided by the background, "
           "such as that of autofluorescence",
           &BackgroundSpec::grain_deviation);
  rows.add("grain_um", "um", Range{0, kHuge},
           "correlation length of this field before the lens, which blurs it: at 0, grains in the "
           "image are as large as the PSF",
           &BackgroundSpec::grain_um);
}

template <class Rows>
void list_medium_keys(Rows& rows) {
  rows.add_optional("no loss", "excitation_length_um", "um", Range{0, kHuge, true},
                    "way in the sample after which 1/e of the excitation is left. The rest is "
                    "lost: scattered light excites nothing",
                    &MediumSpec::excitation_length_um);
  rows.add_optional("no loss", "emission_length_um", "um", Range{0, kHuge, true},
                    "way towards the objective, along the axis, after which 1/e of the emitted "
                    "light is left; scattered light is lost, and the PSF stays as it is",
                    &MediumSpec::emission_length_um);
  rows.add("excitation_along", "", kAny,
           "way of the excitation: z, from the objective, on the side of optics.cover_glass; y or "
           "x, from the first row or column of the sample, as for a light sheet",
           &MediumSpec::excitation_along);
  rows.add_optional("optics.depth_um", "depth_um", "um", Range{0, kHuge},
                    "depth of the nearest face of the sample below the surface of the medium, "
                    "along z",
                    &MediumSpec::depth_um);
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
