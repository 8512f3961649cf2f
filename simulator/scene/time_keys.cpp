// SPDX-License-Identifier: MIT
// simulator/scene/time_keys.cpp — the keys of a scene that say how it changes from frame to frame.
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

void add_time_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  constexpr double kLong = 1e9;
  keys.push_back(absent_means("frames are independent of each other",
                              key("time.interval_seconds", "s", Range{0, kLong, true},
                                  "time between two frames: makes them a movie of the same "
                                  "objects, whose tracks keep their labels",
                                  SYNTHOSCOPE_MEMBER(time.interval_seconds))));
  add("time.diffusion_um2_per_second", "um^2/s", Range{0, 1e6},
      "diffusion coefficient of nuclei and cells in Brownian motion, only along y and x if their "
      "orientation is flat",
      SYNTHOSCOPE_MEMBER(time.diffusion_um2_per_second));
  add("time.speed_um_per_second", "um/s", Range{0, 1e6},
      "root mean square speed of nuclei and cells that keep their direction for a while; added to "
      "diffusion",
      SYNTHOSCOPE_MEMBER(time.speed_um_per_second));
  add("time.persistence_seconds", "s", Range{0, kLong, true},
      "time after which this velocity has fallen to 1/e, on average",
      SYNTHOSCOPE_MEMBER(time.persistence_seconds));
  add("time.turning_rad2_per_second", "rad^2/s", Range{0, 1e6},
      "rotational diffusion of nuclei and cells, only about z if their orientation is flat",
      SYNTHOSCOPE_MEMBER(time.turning_rad2_per_second));
  add("time.division", "", std::nullopt,
      "nuclei and cells grow to twice their volume, become longer and divide; their radius_um is "
      "that of the mean volume over a cycle",
      SYNTHOSCOPE_MEMBER(time.division));
  add("time.cycle_hours", "h", Range{0.001, 1e6}, "mean time from birth to division",
      SYNTHOSCOPE_MEMBER(time.cycle_hours));
  add("time.cycle_spread", "", Range{0, 0.25},
      "standard deviation of that time divided by its mean", SYNTHOSCOPE_MEMBER(time.cycle_spread));
  keys.push_back(absent_means("no bleaching",
                              key("time.bleaching_seconds", "s", Range{0, kLong, true},
                                  "time after which the light of all objects has fallen to 1/e",
                                  SYNTHOSCOPE_MEMBER(time.bleaching_seconds))));
  add("time.drift_um_per_second", "um/s", Range{-1e6, 1e6},
      "drift of the sample relative to the camera along z, y and x: light, labels and positions "
      "move",
      SYNTHOSCOPE_MEMBER(time.drift_um_per_second));
  add("time.focus_drift_um_per_second", "um/s", Range{-1e6, 1e6},
      "drift of the sample relative to the focus, towards larger z: light moves, and labels do not",
      SYNTHOSCOPE_MEMBER(time.focus_drift_um_per_second));
}

}  // namespace synthoscope::simulator
