// SPDX-License-Identifier: MIT
// outline_test.cpp — asymmetry, indentations and different axes of nuclei, and ranges of their
// keys.
#include "simulator/phantom/lobes/outline.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::simulator {
namespace {

const Draws kDraws{{7, RandomStage::phantom}, 3};

double lowest(const Harmonics& h) {
  double low = 0;
  for (const auto& u : sphere_cover()) low = std::min(low, h(u));
  return low;
}

TEST(Outlines, WithoutDeformationsAreWhatTheyWere) {
  Harmonics h{3};
  h.coefficient(3, -2) = 0.07;
  EXPECT_EQ(outlined(h, {0, 0, 0.2}, kDraws, 100, 200).coefficients(), h.coefficients());
}

TEST(Outlines, OfAnAsymmetryHaveItsMeanSquareInDegreeThree) {
  const Harmonics h = outlined(Harmonics{2}, {0.05, 0, 0}, kDraws, 100, 200);
  double squares = 0;
  for (const double c : h.coefficients()) squares += c * c;
  EXPECT_NEAR(std::sqrt(squares), 0.05, 1e-15);
  EXPECT_EQ(h.degree(), 3);
  EXPECT_EQ(h.coefficient(2, 1), 0);
}

TEST(Outlines, OfADentAreDeepestNearThePlaneByHalfToThreeHalvesOfItsDepth) {
  double sum = 0;
  constexpr int kCount = 40;
  for (int i = 0; i < kCount; ++i) {
    const Draws draws{kDraws.stream, static_cast<std::uint64_t>(i)};
    const Harmonics h = outlined(Harmonics{2}, {0, 1, 0.1}, draws, 100, 200);
    Vector3 deepest{};
    double low = 0;
    for (const auto& u : sphere_cover())
      if (h(u) < low) {
        low = h(u);
        deepest = u;
      }
    EXPECT_GT(low, -0.1501);
    EXPECT_LT(low, -0.0495);
    EXPECT_LT(std::abs(deepest[0]), 0.4);
    sum += low / kCount;
  }
  EXPECT_NEAR(sum, -0.1, 0.015);
}

TEST(Outlines, StayAwayFromTheMiddle) {
  Harmonics rough{6};
  rough.coefficient(4, 2) = 0.3;
  EXPECT_LT(lowest(rough), -0.5);
  EXPECT_NEAR(lowest(outlined(rough, {0.1, 6, 0.3}, kDraws, 100, 200)), -0.6, 1e-12);
}

TEST(Outlines, KeepTheVolumeOfANucleus) {
  NucleiSpec spec;
  set_typical(spec, NucleiKind::adherent);
  spec.radius_um = 3;
  spec.radius_spread = 0;
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(Nucleus::draw(spec, 1, i).volume_um3(), 4 * kPi / 3 * 27, 1e-9);
}

TEST(AxisSpread, IsTheSpreadOfEachSemiAxis) {
  NucleiSpec spec;
  spec.roughness = 0;
  spec.axis_spread = 0.12;
  spec.axis_ratios = {1, 1, 1};
  constexpr int kCount = 200;
  double mean = 0, square = 0;
  for (int i = 0; i < kCount; ++i) {
    const Vector3 axes = Nucleus::draw(spec, 2, i).lobes().front().form().semi_axes_um;
    const double ratio = std::log(axes[2] / axes[1]);
    mean += ratio / kCount;
    square += ratio * ratio / kCount;
  }
  EXPECT_NEAR(mean, 0, 0.04);
  EXPECT_NEAR(std::sqrt(square), 0.12 * std::sqrt(2.0), 0.025);
}

struct RangeCase {
  const char* key;
  double low, high, below, above;
  void (*set)(NucleiSpec&, double);
};
constexpr auto kWhole = [](double v) { return static_cast<std::int64_t>(v); };
const RangeCase kRanges[] = {
    {"axis_spread", 0, 0.25, -0.01, 0.26, [](NucleiSpec& s, double v) { s.axis_spread = v; }},
    {"asymmetry", 0, 0.1, -0.01, 0.11, [](NucleiSpec& s, double v) { s.asymmetry = v; }},
    {"indentations", 0, 6, -1, 7, [](NucleiSpec& s, double v) { s.indentations = kWhole(v); }},
    {"indentation_depth", 0, 0.3, -0.1, 0.31,
     [](NucleiSpec& s, double v) { s.indentation_depth = v; }},
    {"folds", 0, 4, -0.1, 4.1, [](NucleiSpec& s, double v) { s.folds = v; }},
    {"fold_depth", 0, 0.33, -0.1, 0.34, [](NucleiSpec& s, double v) { s.fold_depth = v; }},
    {"fold_um", 0.1, 10, 0.09, 10.1, [](NucleiSpec& s, double v) { s.fold_um = v; }},
    {"glass_um", 0, 1e6, -1, 2e6, [](NucleiSpec& s, double v) { s.glass_um = v; }},
    {"lacuna_share", 0, 0.5, -0.1, 0.51, [](NucleiSpec& s, double v) { s.lacuna_share = v; }},
    {"lacuna_density", 0, 1, -0.1, 1.1, [](NucleiSpec& s, double v) { s.lacuna_density = v; }},
    {"clump_share", 0, 0.5, -0.1, 0.51, [](NucleiSpec& s, double v) { s.clump_share = v; }},
    {"clump_density", 0, 10, -0.1, 11, [](NucleiSpec& s, double v) { s.clump_density = v; }},
    {"domain_border", 0.05, 4, 0.04, 4.1, [](NucleiSpec& s, double v) { s.domain_border = v; }},
    {"warp_um", 0, 1e6, -0.1, 2e6, [](NucleiSpec& s, double v) { s.warp_um = v; }},
    {"warp_wavelength_um", 0.05, 1e6, 0.04, 2e6,
     [](NucleiSpec& s, double v) { s.warp_wavelength_um = v; }},
    {"nucleolus_height", 0.2, 10, 0.1, 11, [](NucleiSpec& s, double v) { s.nucleolus_height = v; }},
    {"nucleolus_spread", 0, 0.5, -0.1, 0.6,
     [](NucleiSpec& s, double v) { s.nucleolus_spread = v; }},
    {"nucleolus_parts", 1, 5, 0, 6, [](NucleiSpec& s, double v) { s.nucleolus_parts = kWhole(v); }},
    {"nucleolus_roughness", 0, 1, -0.1, 1.1,
     [](NucleiSpec& s, double v) { s.nucleolus_roughness = v; }},
    {"nucleolus_rim", 0, 10, -0.1, 11, [](NucleiSpec& s, double v) { s.nucleolus_rim = v; }},
    {"nucleolus_rim_um", 1e-6, 1e6, 0, 2e6,
     [](NucleiSpec& s, double v) { s.nucleolus_rim_um = v; }},
};

TEST(KeysOfNuclei, HaveRangesWhoseEndsAreAccepted) {
  for (const RangeCase& c : kRanges) {
    SCOPED_TRACE(c.key);
    NucleiSpec spec;
    for (const double good : {c.low, c.high}) {
      c.set(spec, good);
      EXPECT_NO_THROW(require_valid(spec)) << good;
      EXPECT_NO_THROW(Nucleus::draw(spec, 1, 0)) << good;
    }
    for (const double bad : {c.below, c.above}) {
      c.set(spec, bad);
      test::expect_failure<InvalidSpec>([&] { require_valid(spec); }, {c.key, "; give "});
    }
  }
}

}  // namespace
}  // namespace synthoscope::simulator
