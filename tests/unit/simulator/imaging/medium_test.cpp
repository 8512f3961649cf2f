// SPDX-License-Identifier: MIT
// A medium weakens excitation and emission on their ways.
#include <gtest/gtest.h>
#include <cmath>
#include "simulator/imaging/references.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

References references_with(const std::string& keys) {
  synthoscope::test::TestContext run;
  return references_of(
      parse_scene("[grid]\nsize = [4, 6, 5]\npitch_nm = [2000, 1000, 500]\n" + keys, "medium"),
      run.context.pool);
}

/// Weights of an axis by hand: exp(-(depth + (i + 1/2) pitch) / length).
std::vector<double> decay(std::size_t count, double depth, double pitch, double length) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i)
    weights.push_back(std::exp(-(depth + (static_cast<double>(i) + 0.5) * pitch) / length));
  return weights;
}

void expect_weights(const std::vector<double>& found, std::vector<double> expected,
                    const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-14) << what << ' ' << i;
}

TEST(Medium, LeavesAllLightWithoutALength) {
  for (const char* keys : {"", "[medium]\nexcitation_along = 'y'\ndepth_um = 5\n"}) {
    const References all = references_with(keys);
    EXPECT_TRUE(all.all.front().weights.is_one()) << keys;
  }
}

TEST(Medium, WeakensEmissionWithTheDepthBelowTheGlass) {
  // The cover glass is beyond the last plane unless it is told otherwise
  auto expected = decay(4, 0, 2, 10);
  expect_weights(references_with("[medium]\nemission_length_um = 10\n"
                                 "[optics]\ncover_glass = 'below'\n")
                     .all.front()
                     .weights.z,
                 expected, "below");
  std::reverse(expected.begin(), expected.end());
  const auto above = references_with("[medium]\nemission_length_um = 10\n");
  expect_weights(above.all.front().weights.z, expected, "above");
  EXPECT_TRUE(above.all.front().weights.y.empty());
  EXPECT_TRUE(above.all.front().weights.x.empty());
}

TEST(Medium, CountsTheDepthOfTheNearestFace) {
  const char* const kBelow = "[optics]\ncover_glass = 'below'\ndepth_um = 3\n";
  expect_weights(references_with(std::string{"[medium]\nexcitation_length_um = 20\n"} + kBelow)
                     .all.front()
                     .weights.z,
                 decay(4, 3, 2, 20), "as the optics");
  expect_weights(
      references_with(std::string{"[medium]\nexcitation_length_um = 20\ndepth_um = 50\n"} + kBelow)
          .all.front()
          .weights.z,
      decay(4, 50, 2, 20), "its own");
}

TEST(Medium, WeakensBothOnOneWayByTheProduct) {
  // 1/10 + 1/20 = 1/(20/3)
  expect_weights(references_with("[medium]\nexcitation_length_um = 20\nemission_length_um = 10\n"
                                 "[optics]\ncover_glass = 'below'\n")
                     .all.front()
                     .weights.z,
                 decay(4, 0, 2, 20.0 / 3), "both");
}

TEST(Medium, WeakensALightSheetFromTheSide) {
  const auto y = references_with(
      "[medium]\nexcitation_length_um = 20\nexcitation_along = 'y'\nemission_length_um = 10\n"
      "[optics]\nmodel = 'light-sheet'\ncover_glass = 'below'\n");
  expect_weights(y.all.front().weights.y, decay(6, 0, 1, 20), "y");
  expect_weights(y.all.front().weights.z, decay(4, 0, 2, 10), "z");
  const auto x = references_with("[medium]\nexcitation_length_um = 7\nexcitation_along = 'x'\n");
  expect_weights(x.all.front().weights.x, decay(5, 0, 0.5, 7), "x");
  EXPECT_TRUE(x.all.front().weights.z.empty());
}

TEST(Medium, WeakensEveryReferenceOfAPsfThatVaries) {
  const char* const kVarying =
      "[optics]\nmodel = 'light-sheet'\nsheet_along = 'y'\nsheet_waist_um = 0.5\n"
      "reference_error = 0.001\n";
  const References plain = references_with(kVarying),
                   weak = references_with(
                       std::string{
                           "[medium]\nexcitation_length_um = 20\nexcitation_along = 'y'\n"} +
                       kVarying);
  ASSERT_EQ(weak.count(), plain.count());
  const auto left = decay(6, 0, 1, 20);
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (const Reference& one : weak.all) sum += one.weights.y.empty() ? 1 : one.weights.y[i];
    EXPECT_NEAR(sum, left[i], 1e-12);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
