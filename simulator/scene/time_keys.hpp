// SPDX-License-Identifier: MIT
// simulator/scene/time_keys.hpp — the keys of [time]: how a scene changes from frame to frame.
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/scene/time_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_time_keys(Rows& rows) {
  constexpr double kLong = 1e9;
  rows.add_optional("frames are independent of each other", "interval_seconds", "s",
                    Range{0, kLong, true},
                    "time between two frames: makes them a movie of the same "
                    "objects, whose tracks keep their labels",
                    &TimeSpec::interval_seconds);
  rows.add_optional("true if their orientation is flat or if grid.size has one plane", "in_plane",
                    "", kAny,
                    "nuclei and cells move along y and x, turn about z and divide within a plane; "
                    "they are pushed out of it only if it is full",
                    &TimeSpec::in_plane);
  rows.add(
      "diffusion_um2_per_second", "um^2/s", Range{0, 1e6},
      "diffusion coefficient of nuclei and cells in Brownian motion, along y and x if in_plane is "
      "true",
      &TimeSpec::diffusion_um2_per_second);
  rows.add(
      "speed_um_per_second", "um/s", Range{0, 1e6},
      "root mean square speed of nuclei and cells that keep their direction for a while; added to "
      "diffusion",
      &TimeSpec::speed_um_per_second);
  rows.add("persistence_seconds", "s", Range{0, kLong, true},
           "time after which this velocity has fallen to 1/e, on average",
           &TimeSpec::persistence_seconds);
  rows.add("turning_rad2_per_second", "rad^2/s", Range{0, 1e6},
           "rotational diffusion of nuclei and cells, only about z if in_plane is true",
           &TimeSpec::turning_rad2_per_second);
  rows.add(
      "division", "", kAny,
      "nuclei and cells grow to twice their volume, become longer and divide; their radius_um is "
      "that of the mean volume over a cycle",
      &TimeSpec::division);
  rows.add(
      "mitosis", "", kAny,
      "nuclei of one lobe that divide condense in prophase, form a plate in metaphase and part as "
      "two plates in anaphase; false: they only become longer. objects.csv names the phase",
      &TimeSpec::mitosis);
  rows.add("cycle_hours", "h", Range{0.001, 1e6}, "mean time from birth to division",
           &TimeSpec::cycle_hours);
  rows.add("cycle_spread", "", Range{0, 0.25},
           "standard deviation of that time divided by its mean", &TimeSpec::cycle_spread);
  rows.add_optional("no bleaching", "bleaching_seconds", "s", Range{0, kLong, true},
                    "time after which the light of all objects has fallen to 1/e",
                    &TimeSpec::bleaching_seconds);
  rows.add(
      "drift_um_per_second", "um/s", Range{-1e6, 1e6},
      "drift of the sample relative to the camera along z, y and x: light, labels and positions "
      "move",
      &TimeSpec::drift_um_per_second);
  rows.add(
      "focus_drift_um_per_second", "um/s", Range{-1e6, 1e6},
      "drift of the sample relative to the focus, towards larger z: light moves, and labels do not",
      &TimeSpec::focus_drift_um_per_second);
}

}  // namespace synthoscope::simulator
