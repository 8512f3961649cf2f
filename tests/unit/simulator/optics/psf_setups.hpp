// SPDX-License-Identifier: MIT
// tests/unit/simulator/optics/psf_setups.hpp — microscopes whose indices, cover glass or depth are
// not what the lens is made for.
#pragma once
#include "core/base/units.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator::test {

inline OpticsSpec oil_into_water() {
  OpticsSpec s;
  s.depth_um = 5;
  return s;
}

inline OpticsSpec wrong_coverslip() {
  OpticsSpec s;
  s.na = 1.2;
  s.immersion_index = 1.33;
  s.sample_index = 1.38;
  s.coverslip_index = 1.522;
  s.design_coverslip_um = 170;
  s.coverslip_um = 178;
  s.working_distance_um = 280;
  s.depth_um = 20;
  return s;
}

inline OpticsSpec warm_oil_at_high_aperture() {
  OpticsSpec s;
  s.na = 1.49;
  s.immersion_index = 1.512;
  s.design_immersion_index = 1.518;
  s.design_coverslip_index = 1.523;
  s.wavelength_nm = 610;
  s.depth_um = 2;
  return s;
}

inline OpticsSpec air() {
  OpticsSpec s;
  s.na = 0.5;
  s.immersion_index = 1;
  s.working_distance_um = 2000;
  s.depth_um = 30;
  return s;
}

struct Setup {
  const char* name;
  OpticsSpec (*optics)();
  VoxelSize pitch;
  double reach_um;  ///< holds 99.9 % of a plane: rays near total reflection land far away
};
inline const Setup kSetups[] = {
    {"oil_into_water", oil_into_water, {0.2, 0.07, 0.07}, 300},
    {"wrong_coverslip", wrong_coverslip, {0.3, 0.1, 0.08}, 80},
    {"warm_oil_at_high_aperture", warm_oil_at_high_aperture, {0.15, 0.06, 0.06}, 120},
    {"air", air, {1.5, 0.25, 0.25}, 150},
};

}  // namespace synthoscope::simulator::test
