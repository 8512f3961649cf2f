// SPDX-License-Identifier: MIT
#include "simulator/report/svg_plot.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct TickCase {
  const char* name;
  double low, high;
  Scale scale;
  std::vector<double> ticks;
};

const TickCase kTickCases[] = {
    {"in_twos", 0, 10, Scale::linear, {0, 2, 4, 6, 8, 10}},
    {"in_halves", -1.1, 0.9, Scale::linear, {-1, -0.5, 0, 0.5}},
    {"in_fives_of_ten", 3, 212, Scale::linear, {50, 100, 150, 200}},
    {"in_decades", 0.5, 2e4, Scale::logarithmic, {1, 10, 100, 1e3, 1e4}},
    {"in_numbers_where_decades_are_too_wide", 110, 190, Scale::logarithmic, {120, 140, 160, 180}},
};

class Ticks : public testing::TestWithParam<TickCase> {};

TEST_P(Ticks, AreRoundNumbers) {
  const auto& c = GetParam();
  const auto ticks = ticks_between(c.low, c.high, c.scale, 5);
  ASSERT_EQ(ticks.size(), c.ticks.size());
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_NEAR(ticks[i], c.ticks[i], 1e-9 * c.high);
}

INSTANTIATE_TEST_SUITE_P(Table, Ticks, testing::ValuesIn(kTickCases), test::kCaseName);

TEST(SvgPlot, LeavesOutWhatItsScaleCannotShow) {
  const PlotSeries series{
      "s", "red", PlotSeries::Mark::points, {{1, 1}, {2, 0}, {3, NAN}, {4, 100}, {5, -1}}};
  const auto svg = svg_plot({"x"}, {"y", Scale::logarithmic}, {series});
  std::size_t circles = 0;
  for (auto at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1))
    ++circles;
  EXPECT_EQ(circles, 2u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgPlot, LetsBarsOfNothingStandOnTheAxis) {
  const PlotSeries bars{"s", "red", PlotSeries::Mark::steps, {{0, 10}, {1, 0}, {2, 10}, {3, 5}}};
  const auto svg = svg_plot({"x"}, {"y", Scale::logarithmic}, {bars});
  EXPECT_NE(svg.find(",290.0 "), std::string::npos);  // the height of the axis
}

TEST(SvgPlot, SaysThatThereIsNothing) {
  EXPECT_EQ(svg_plot({"x"}, {"y"}, {}), "<p class='note'>There is nothing to plot.</p>");
}

}  // namespace
}  // namespace synthoscope::simulator
