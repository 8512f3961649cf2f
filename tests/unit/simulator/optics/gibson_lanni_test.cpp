// SPDX-License-Identifier: MIT
// gibson_lanni_test.cpp — the model itself: quadrature, energy of a plane, place of the focus.
#include "simulator/optics/gibson_lanni.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include "tests/support/case_name.hpp"
#include "tests/unit/simulator/optics/psf_setups.hpp"

namespace synthoscope::simulator {
namespace {

class GibsonLanniOf : public testing::TestWithParam<test::Setup> {
 protected:
  TaskPool pool{2};
  OpticsSpec optics = GetParam().optics();
  VoxelSize pitch = GetParam().pitch;
};

TEST_P(GibsonLanniOf, DoesNotChangeWhenTheNodesDouble) {
  const GibsonLanni model{optics};
  const double focus = model.focus_um();
  const std::vector<double> z{focus - 20 * pitch.z_um, focus, focus + 20 * pitch.z_um};
  const double reach = 100 * pitch.x_um;
  const auto nodes = model.nodes_for(reach, z);
  const auto once = model.radial_table(reach / 50, 51, z, nodes, pool);
  const auto twice = model.radial_table(reach / 50, 51, z, 2 * nodes, pool);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < once.intensity.size(); ++i) {
    difference += std::pow(once.intensity[i] - twice.intensity[i], 2);
    size += std::pow(twice.intensity[i], 2);
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-11);
}

TEST_P(GibsonLanniOf, CarriesTheAnalyticEnergyInEveryPlane) {
  const GibsonLanni model{optics};
  const double focus = model.focus_um();
  std::vector<double> z;
  for (int i = -10; i <= 10; i += 10) z.push_back(focus + i * pitch.z_um);
  const double step = 0.5 / model.lateral_wavenumber(), reach = GetParam().reach_um;
  const auto radii = static_cast<std::int64_t>(reach / step);
  const auto table = model.radial_table(step, radii, z, model.nodes_for(reach, z), pool);
  for (std::size_t p = 0; p < z.size(); ++p) {
    // A sum of r I(r) misses a twelfth of a step squared at r = 0 (Euler-Maclaurin)
    double energy =
        2 * std::numbers::pi * step * step / 12 * table.row(0)[static_cast<std::int64_t>(p)];
    for (std::int64_t j = 1; j < radii; ++j)
      energy += 2 * std::numbers::pi * step * step * static_cast<double>(j) *
                table.row(j)[static_cast<std::int64_t>(p)];
    EXPECT_NEAR(energy / model.plane_energy_um2(), 1, 1e-3) << "z = " << z[p];
  }
}

TEST_P(GibsonLanniOf, FindsTheBrightestPlaneOfADenseScan) {
  const GibsonLanni model{optics};
  const double focus = model.focus_um();
  std::vector<double> z;
  for (int i = -4000; i <= 4000; ++i) z.push_back(focus + i * (30 * pitch.z_um / 4000));
  const auto axis = model.radial_table(1, 1, z, model.nodes_for(0, z), pool).intensity;
  const auto brightest = std::max_element(axis.begin(), axis.end()) - axis.begin();
  EXPECT_LE(std::abs(brightest - 4000), 1);
}

INSTANTIATE_TEST_SUITE_P(Setups, GibsonLanniOf, testing::ValuesIn(test::kSetups),
                         synthoscope::test::kCaseName);

TEST(GibsonLanniFocus, MissesTheFirstOrderFocusRuleByEightPercentDeepInWater) {
  OpticsSpec s;
  s.depth_um = 10;
  const double first_order = -s.depth_um * s.immersion_index / s.sample_index;
  EXPECT_NEAR(GibsonLanni{s}.focus_um() / first_order, 1.08, 0.01);
}

TEST(GibsonLanniFocus, KeepsItsDigitsWhereDeepAberrationsCancelBetweenMiddleAndRim) {
  OpticsSpec s;  // the path differs little from middle to rim, but turns quickly in between
  s.na = 1.29;
  s.immersion_index = 1.33;
  s.sample_index = 1.38;
  s.depth_um = 950;
  const GibsonLanni model{s};
  TaskPool pool{1};
  const std::vector<double> z{model.focus_um() - 3, model.focus_um(), model.focus_um() + 3};
  const auto nodes = model.nodes_for(0, z);
  const auto once = model.radial_table(1, 1, z, nodes, pool).intensity;
  const auto twice = model.radial_table(1, 1, z, 2 * nodes, pool).intensity;
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(once[i] / twice[1], twice[i] / twice[1], 1e-11);
  EXPECT_GT(twice[1], twice[0]);
  EXPECT_GT(twice[1], twice[2]);
}

}  // namespace
}  // namespace synthoscope::simulator
