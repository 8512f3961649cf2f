// SPDX-License-Identifier: MIT
// gibson_lanni_test.cpp — the model itself: quadrature, energy of a plane, place of the focus.
#include "simulator/optics/models/gibson_lanni.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "tests/support/case_name.hpp"
#include "tests/unit/simulator/optics/psf_setups.hpp"
#include "tests/unit/simulator/optics/pupil_checks.hpp"

namespace synthoscope::simulator {
namespace {

class GibsonLanniOf : public testing::TestWithParam<test::Setup> {
 protected:
  TaskPool pool{2};
  OpticsSpec optics = GetParam().optics();
  VoxelSize pitch = GetParam().pitch;
};

TEST_P(GibsonLanniOf, DoesNotChangeWhenTheNodesDouble) {
  EXPECT_LT(test::change_when_nodes_double(GibsonLanni{optics}, pitch, pool), 1e-11);
}

TEST_P(GibsonLanniOf, CarriesTheAnalyticEnergyInEveryPlane) {
  const GibsonLanni model{optics};
  const RadialTable table = test::planes_about_focus(model, pitch, GetParam().reach_um, pool);
  for (std::int64_t p = 0; p < table.planes; ++p)
    EXPECT_NEAR(test::energy_within(table, p, table.radii) / model.plane_energy_um2(), 1, 1e-3)
        << "plane " << p;
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
  const auto once = model.radial_table(1, 1, z, model.nodes_for(0, z), pool).intensity;
  const auto twice = model.radial_table(1, 1, z, model.nodes_for(0, z, 2), pool).intensity;
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(once[i] / twice[1], twice[i] / twice[1], 1e-11);
  EXPECT_GT(twice[1], twice[0]);
  EXPECT_GT(twice[1], twice[2]);
}

}  // namespace
}  // namespace synthoscope::simulator
