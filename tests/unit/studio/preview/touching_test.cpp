// SPDX-License-Identifier: MIT
#include "studio/preview/touching.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "fftconv/host/executor.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/preview/preview_case.hpp"

namespace synthoscope::studio {
namespace {

struct TouchingCase {
  const char* name;
  Extent3 extent;
  std::vector<std::uint16_t> labels;
  std::int64_t count, touching;
};

class CountObjects : public testing::TestWithParam<TouchingCase> {};

TEST_P(CountObjects, ThatShareAFace) {
  const auto& [name, extent, labels, count, touching] = GetParam();
  test::TestContext run;
  Stack stack{extent, PixelType::uint16, run.memory, "labels"};
  std::copy(labels.begin(), labels.end(), stack.view().as<std::uint16_t>().row(0, 0));
  const ObjectCounts counts = count_objects(stack, run.context);
  EXPECT_EQ(counts.count, count);
  EXPECT_EQ(counts.touching, touching);
}

const TouchingCase kStacks[] = {
    {"nothing", {1, 2, 2}, {0, 0, 0, 0}, 0, 0},
    {"one_object", {2, 1, 3}, {0, 7, 7, 7, 7, 0}, 1, 0},
    {"contact_along_x", {1, 1, 4}, {1, 2, 0, 3}, 3, 2},
    {"contact_along_y", {1, 3, 2}, {0, 1, 0, 2, 3, 0}, 3, 2},
    {"contact_along_z_alone", {2, 2, 2}, {5, 0, 0, 0, 9, 0, 0, 65535}, 3, 2},
    {"edges_and_corners", {2, 2, 2}, {1, 0, 0, 2, 0, 3, 4, 0}, 4, 0},
    {"a_gap_of_one_voxel", {3, 1, 3}, {1, 0, 2, 0, 0, 0, 3, 0, 4}, 4, 0},
    {"opposite_borders", {1, 2, 3}, {1, 0, 2, 3, 0, 4}, 4, 4},
    {"ends_of_rows_and_planes", {2, 2, 2}, {0, 1, 2, 0, 0, 0, 0, 3}, 3, 0},
    {"three_in_a_row", {1, 1, 3}, {1, 2, 3}, 3, 3},
};
INSTANTIATE_TEST_SUITE_P(Stacks, CountObjects, testing::ValuesIn(kStacks), test::kCaseName);

TEST(PreviewOfTouchingNuclei, CountsThoseThatTouchInTheRegion) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const auto scene = [](const std::string& gap) {
    return simulator::parse_scene(
        kSmallGrid + kSmallOptics +
            "[nuclei]\ncount = 5\nradius_um = 0.6\nclustering = 0.75\ngap_um = " + gap + "\n",
        "a scene");
  };
  Preview preview{*blur};
  const auto apart = preview.make({scene("0.1")}, run.context).objects;
  EXPECT_EQ(apart.touching, 0);
  EXPECT_EQ(apart.count, 5);
  const Shown together = preview.make({scene("-0.2")}, run.context);
  EXPECT_EQ(together.objects.count, 5);
  EXPECT_EQ(together.objects.touching, 3);
  const Shown corner = preview.make({scene("-0.2"), Box3{{0, 0, 0}, {1, 1, 1}}}, run.context);
  EXPECT_LE(corner.objects.count, 1);
  EXPECT_EQ(corner.objects.touching, 0);
}

}  // namespace
}  // namespace synthoscope::studio
