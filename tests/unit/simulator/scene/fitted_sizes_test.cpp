// SPDX-License-Identifier: MIT
#include "simulator/scene/fitted_sizes.hpp"
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

struct FittedCase {
  const char* name;
  const char* keys;
  const char* note;  ///< how it begins; empty: nothing is changed
};

// The grid is 6 um deep
const FittedCase kFittedCases[] = {
    {"nuclei", "", "nuclei.radius_um is 2.5"},
    {"nuclei_of_any_direction", "[nuclei]\norientation = 'random'\n", "nuclei.radius_um is 1.6"},
    {"nuclei_of_a_cell_type", "[nuclei]\nkind = 'fibroblast'\ncount = 1\n",
     "nuclei.radius_um is 4.6"},
    {"a_size_that_is_given", "[nuclei]\nradius_um = 2\n", ""},
    {"nuclei_that_the_border_may_cut", "[nuclei]\nborder = 'cut'\n", ""},
    {"what_is_far_too_large", "[nuclei]\nkind = 'hl60'\n", ""},
    {"a_nucleus_in_a_cell", "[cells]\ncount = 1\nradius_um = 5\nborder = 'cut'\n",
     "cells.nucleus_radius_um is 2.8"},
    {"none_of_them", "[nuclei]\ncount = 0\n", ""},
};

class FittedSizes : public testing::TestWithParam<FittedCase> {};

TEST_P(FittedSizes, AreSmallerWhereTheirDefaultsWouldNotFit) {
  const SceneSpec scene = parse_scene(
      std::string{"seed = 1\n[grid]\nsize = [24, 300, 300]\n"} + GetParam().keys, "scene");
  const auto notes = notes_on_fitted_sizes(scene);
  const std::string wanted = GetParam().note;
  ASSERT_EQ(notes.size(), wanted.empty() ? 0U : 1U);
  if (wanted.empty()) return;
  EXPECT_EQ(notes.front().substr(0, wanted.size()), wanted) << notes.front();
  test::TestContext run;
  require_valid(scene);
  EXPECT_NO_THROW(Timelapse(scene, run.context).phantom(0, run.context));
}

INSTANTIATE_TEST_SUITE_P(Table, FittedSizes, testing::ValuesIn(kFittedCases),
                         synthoscope::test::kCaseName);

TEST(FittedSizes, AreRecordedSoThatARecordIsTheSameScene) {
  const SceneSpec scene = parse_scene("seed = 1\n[grid]\nsize = [24, 300, 300]\n", "scene");
  EXPECT_EQ(scene.nuclei.radius_um, 3);
  EXPECT_EQ(record_of(scene).at("scene").at("nuclei").at("radius_um").get<double>(),
            phantom_of(scene).nuclei.radius_um);
}

}  // namespace
}  // namespace synthoscope::simulator
