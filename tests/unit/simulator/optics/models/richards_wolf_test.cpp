// SPDX-License-Identifier: MIT
// richards_wolf_test.cpp — vectorial light: against rays over the whole pupil, its scalar limit,
// energy, and what only emitters near the cover glass send.
#include "simulator/optics/models/richards_wolf.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <vector>
#include "simulator/optics/models/gibson_lanni.hpp"
#include "simulator/optics/psf.hpp"
#include "tests/support/case_name.hpp"
#include "tests/unit/simulator/optics/dipole_oracle.hpp"
#include "tests/unit/simulator/optics/psf_setups.hpp"
#include "tests/unit/simulator/optics/pupil_checks.hpp"

namespace synthoscope::simulator {
namespace {

OpticsSpec matched() {
  OpticsSpec s;
  s.sample_index = s.immersion_index;
  return s;
}

/// An emitter on the cover glass, whose fading waves the lens collects.
OpticsSpec at_the_glass() {
  OpticsSpec s;
  s.na = 1.46;
  s.depth_um = 0;
  return s;
}

OpticsSpec water_dip() {
  OpticsSpec s;
  s.na = 1.1;
  s.immersion_index = 1.33;
  s.sample_index = 1.38;
  s.coverslip_um = 0;
  s.depth_um = 4;
  return s;
}

const test::Setup kVectorSetups[] = {
    {"matched", matched, {0.2, 0.07, 0.07}, 60},
    {"at_the_glass", at_the_glass, {0.2, 0.07, 0.07}, 60},
    {"water_dip", water_dip, {0.3, 0.1, 0.1}, 60},
    {"oil_into_water", test::oil_into_water, {0.2, 0.07, 0.07}, 150},
    {"wrong_coverslip", test::wrong_coverslip, {0.3, 0.1, 0.08}, 80},
    {"warm_oil_at_high_aperture", test::warm_oil_at_high_aperture, {0.15, 0.06, 0.06}, 120},
    {"air", test::air, {1.5, 0.25, 0.25}, 150},
};

class RichardsWolfOf : public testing::TestWithParam<test::Setup> {
 protected:
  TaskPool pool{2};
  OpticsSpec optics = GetParam().optics();
  VoxelSize pitch = GetParam().pitch;
};

TEST_P(RichardsWolfOf, EqualsRaysOverTheWholePupilToAMillionthOfThePeak) {
  const RichardsWolf model{optics};
  const synthoscope::test::DipoleOracle oracle{optics};
  const double focus = model.focus_um(), step = 2.5 * pitch.x_um;
  const std::vector<double> z{focus, focus - 4 * pitch.z_um, focus + 9 * pitch.z_um};
  const auto table = model.radial_table(step, 9, z, model.nodes_for(9 * step, z), pool);
  const double peak = table.row(0)[0];
  for (std::size_t p = 0; p < z.size(); ++p)
    for (const std::int64_t j : {0, 1, 2, 5, 8})
      EXPECT_NEAR(table.row(j)[p] / peak,
                  oracle.intensity(step * static_cast<double>(j), z[p], 3000, 128) / peak, 1e-6)
          << "radius " << j << ", plane " << p;
}

TEST_P(RichardsWolfOf, DoesNotChangeWhenTheNodesDouble) {
  EXPECT_LT(test::change_when_nodes_double(RichardsWolf{optics}, pitch, pool), 1e-11);
}

TEST_P(RichardsWolfOf, CarriesTheSameEnergyInEveryPlane) {
  const RichardsWolf model{optics};
  const RadialTable table = test::planes_about_focus(model, pitch, GetParam().reach_um, pool);
  for (std::int64_t p = 0; p < table.planes; ++p) {
    SCOPED_TRACE(testing::Message() << "plane " << p);
    const double energy = test::energy_within(table, p, table.radii) / model.plane_energy_um2(),
                 half = test::energy_within(table, p, table.radii / 2) / model.plane_energy_um2();
    // The light of a sharp rim falls as the inverse of the radius, that near total reflection
    // faster: so the whole lies between
    EXPECT_LT(energy, 1);
    EXPECT_GT(2 * energy - half, 1 - 1e-3);
    EXPECT_NEAR(energy, 1, 5e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Setups, RichardsWolfOf, testing::ValuesIn(kVectorSetups),
                         synthoscope::test::kCaseName);

/// Largest difference of the two models, over the peak, in focus and around it.
double distance_from_scalar(double na) {
  OpticsSpec s;
  s.na = na;
  s.immersion_index = s.sample_index = s.coverslip_index = 1.33;
  TaskPool pool{1};
  const GibsonLanni scalar{s};
  const RichardsWolf vectorial{s};
  const double field = 0.52 * 1.33 / (na * na), step = 0.1 * 0.52 / na;
  const std::vector<double> z{0, field, -2 * field};
  const auto a = scalar.radial_table(step, 40, z, scalar.nodes_for(40 * step, z), pool);
  const auto b = vectorial.radial_table(step, 40, z, vectorial.nodes_for(40 * step, z), pool);
  double most = 0;
  for (std::size_t i = 0; i < a.intensity.size(); ++i)
    most =
        std::max(most, std::abs(a.intensity[i] / a.intensity[0] - b.intensity[i] / b.intensity[0]));
  return most;
}

TEST(RichardsWolfLimit, IsTheScalarModelAtLowAperture) {
  EXPECT_LT(distance_from_scalar(0.05), 1e-3);
  EXPECT_GT(distance_from_scalar(0.9), 2e-2);  // and not at a high one
}

TEST(RichardsWolfLimit, FallsWithTheSquareOfTheAperture) {
  EXPECT_NEAR(distance_from_scalar(0.2) / distance_from_scalar(0.1), 4, 0.5);
}

TEST(RichardsWolf, LosesTheLightBeyondTotalReflectionAsTheEmitterLeavesTheGlass) {
  OpticsSpec s = at_the_glass();
  const double near = RichardsWolf{s}.plane_energy_um2();
  s.depth_um = 0.2;
  const double far = RichardsWolf{s}.plane_energy_um2();
  s.depth_um = 20;
  const double deep = RichardsWolf{s}.plane_energy_um2();
  EXPECT_GT(near, 1.2 * far);
  EXPECT_GT(far, deep);
  s.na = s.sample_index;
  EXPECT_NEAR(RichardsWolf{s}.plane_energy_um2() * std::pow(s.na / at_the_glass().na, 4), deep,
              1e-3 * deep);
}

}  // namespace
}  // namespace synthoscope::simulator
