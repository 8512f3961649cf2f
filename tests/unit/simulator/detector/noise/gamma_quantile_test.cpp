// SPDX-License-Identifier: MIT
// gamma_quantile_test.cpp — quantiles of gamma distributions against values computed elsewhere.
#include <gtest/gtest.h>
#include <cmath>
#include "simulator/detector/noise/em_register.hpp"

namespace synthoscope::simulator {
namespace {

struct QuantileCase {
  std::int64_t shape;
  double u, x;
};

// scipy.special.gammaincinv below the median, gammainccinv above
constexpr QuantileCase kQuantiles[] = {
    {1, 1e-09, 1.0000000004999997e-09}, {1, 0.001, 0.0010005003335835339},
    {1, 0.2, 0.22314355131420974},      {1, 0.5, 0.69314718055994551},
    {1, 0.9, 2.3025850929940459},       {1, 0.9999, 9.210340371976292},
    {2, 1e-09, 4.4722026230327653e-05}, {2, 0.001, 0.045402017769489544},
    {2, 0.2, 0.82438830903298455},      {2, 0.5, 1.6783469900166612},
    {2, 0.9, 3.8897201698674291},       {2, 0.9999, 11.756371222495538},
    {3, 1e-09, 0.0018179466000270133},  {3, 0.001, 0.19053337756840319},
    {3, 0.2, 1.5350442026446436},       {3, 0.5, 2.674060313723559},
    {3, 0.9, 5.3223203378342099},       {3, 0.9999, 13.928170618007085},
    {10, 1e-09, 0.6021348388694604},    {10, 0.001, 2.9605203727437601},
    {10, 0.2, 7.2892196085352614},      {10, 0.5, 9.6687146147141281},
    {10, 0.9, 14.205990292152817},      {10, 0.9999, 26.19298663652625},
    {40, 1e-09, 12.823174448352042},    {40, 0.001, 23.259937964583763},
    {40, 0.2, 34.603469541769265},      {40, 0.5, 39.667165010689097},
    {40, 0.9, 48.289101807633507},      {40, 0.9999, 67.891260557326859},
    {63, 1e-09, 26.357144339101247},    {63, 0.001, 41.287483471773925},
    {63, 0.2, 56.241343818477908},      {63, 0.5, 62.666982027194273},
    {63, 0.9, 73.362025853617737},      {63, 0.9999, 96.872772650057016},
    {64, 1e-09, 26.986964542023834},    {64, 0.001, 42.093910352265574},
    {64, 0.2, 57.188386856178873},      {64, 0.5, 63.66697707166383},
    {64, 0.9, 74.442627737495584},      {64, 0.9999, 98.105609015625262},
    {200, 1e-09, 126.4682680237736},    {200, 0.001, 159.12980117448907},
    {200, 0.2, 188.01091541157214},     {200, 0.5, 199.6667656124657},
    {200, 0.9, 218.3244925272887},      {200, 0.9999, 256.91788180053936},
    {5000, 1e-09, 4587.4796027053671},  {5000, 0.001, 4784.3342475469844},
    {5000, 0.2, 4940.3932498120121},    {5000, 0.5, 4999.666670617572},
    {5000, 0.9, 5090.830806915189},     {5000, 0.9999, 5267.2610251298502},
};

TEST(GammaQuantile, AgreesWithAnotherImplementation) {
  for (const auto& [shape, u, x] : kQuantiles) {
    const double allowed =
        shape < 64 ? 1e-11 * x + 1e-16 : 1e-4 * std::sqrt(static_cast<double>(shape));
    EXPECT_NEAR(gamma_quantile(shape, u), x, allowed) << shape << " at " << u;
  }
}

TEST(GammaQuantile, GrowsWithTheUniformAndWithTheShape) {
  for (const std::int64_t shape : {1, 2, 7, 63, 64, 1000})
    for (int i = 1; i < 400; ++i) {
      const double u = i / 400.0, x = gamma_quantile(shape, u);
      EXPECT_LT(gamma_quantile(shape, u - 1.0 / 800), x) << shape << " at " << u;
      EXPECT_LT(x, gamma_quantile(shape + 1, u)) << shape << " at " << u;
    }
}

TEST(GammaQuantile, IsFiniteAndPositiveAtTheLastUniforms) {
  for (const std::int64_t shape : {1, 2, 63, 64, 100000})
    for (const double u : {0x1p-53, 1 - 0x1p-53}) {
      EXPECT_TRUE(std::isfinite(gamma_quantile(shape, u))) << shape << " at " << u;
      EXPECT_GT(gamma_quantile(shape, u), 0) << shape << " at " << u;
    }
}

}  // namespace
}  // namespace synthoscope::simulator
