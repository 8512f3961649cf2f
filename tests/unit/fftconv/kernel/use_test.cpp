// SPDX-License-Identifier: MIT
#include "fftconv/kernel/use.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::fftconv {
namespace {

class Remembering final : public Log {
 public:
  void say(Severity severity, std::string_view sentence) override {
    if (severity == Severity::warning) warnings.emplace_back(sentence);
  }
  std::vector<std::string> warnings;
};

/// A Gaussian spot of peak `light` on a `background`, whose first column is brighter by `edge`.
Volume<float> spot(float background, float light, float edge = 0) {
  Volume<float> kernel{{9, 11, 13}};
  for (std::int64_t z = 0; z < 9; ++z)
    for (std::int64_t y = 0; y < 11; ++y)
      for (std::int64_t x = 0; x < 13; ++x) {
        const auto r2 =
            static_cast<double>((z - 4) * (z - 4) + (y - 5) * (y - 5) + (x - 6) * (x - 6));
        kernel.view()(z, y, x) =
            background + light * static_cast<float>(std::exp(-r2)) + (x == 0 ? edge : 0);
      }
  return kernel;
}

class ExamineKernel : public testing::Test {
 protected:
  ExaminedKernel examine(const Volume<float>& kernel) {
    MemorySource voxels{kernel.view()};
    return examine_kernel({"psf.tif", voxels, named_center}, use, StopFlag{}, log);
  }
  std::optional<Index3> named_center;
  KernelUse use;
  Remembering log;
};

TEST_F(ExamineKernel, WarnsOfABackgroundThatMakesTheResultABox) {
  examine(spot(100, 1000));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("the border of kernel psf.tif contains"), std::string::npos);
  EXPECT_NE(log.warnings[0].find("a background of 100 contains 96 %"), std::string::npos)
      << log.warnings[0];
}

TEST_F(ExamineKernel, WarnsOfLightThatTheEdgesCutOffUnlessThePsfHasSaidSo) {
  Volume<float> wide{{5, 5, 5}};
  for (std::size_t i = 0; i < 125; ++i) wide.voxels[i] = i % 5 == 2 ? 1.f : 0.f;
  examine(wide);
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("the kernel cuts off part of its light"), std::string::npos)
      << log.warnings[0];
  named_center = Index3{2, 2, 2};
  examine(wide);
  EXPECT_EQ(log.warnings.size(), 1u);
}

TEST_F(ExamineKernel, TakesTheBackgroundOffWithoutBeingMisledByABrightEdge) {
  use.background = {BackgroundRule::Kind::automatic, 0};
  for (const float edge : {0.f, 50.f}) {
    const ExaminedKernel found = examine(spot(100, 1000, edge));
    EXPECT_NEAR(found.kernel.background, 100, 0.01) << "edge " << edge;
    EXPECT_GT(found.summary.sum, 0);
  }
}

TEST_F(ExamineKernel, WarnsOfASumThatTurnsBrightIntoDark) {
  use.background = {BackgroundRule::Kind::given, 200};
  use.normalization = KernelNormalization::sum;
  examine(spot(100, 1000));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("is negative"), std::string::npos) << log.warnings[0];
}

TEST_F(ExamineKernel, UsesTheCentreThatTheFileNamesUnlessARuleIsGiven) {
  const Volume<float> kernel = spot(0, 1);
  EXPECT_EQ(examine(kernel).center, (Index3{4, 5, 6}));
  named_center = Index3{1, 2, 3};
  EXPECT_EQ(examine(kernel).center, (Index3{1, 2, 3}));
  use.center = CenterRule::peak;
  EXPECT_EQ(examine(kernel).center, (Index3{4, 5, 6}));
  use.center = Index3{8, 10, 12};
  EXPECT_EQ(examine(kernel).center, (Index3{8, 10, 12}));
}

/// A Gaussian spot around a voxel.
Volume<float> spot_at(const Extent3& extent, const Index3& at, double background = 0) {
  Volume<float> kernel{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const auto r2 = static_cast<double>((z - at.z) * (z - at.z) + (y - at.y) * (y - at.y) +
                                            (x - at.x) * (x - at.x));
        kernel.view()(z, y, x) = static_cast<float>(background + std::exp(-r2 / 2));
      }
  return kernel;
}

TEST_F(ExamineKernel, WarnsOfACoreBesideTheCentreWithHowFarItMovesTheResult) {
  examine(spot_at({15, 31, 31}, {9, 12, 18}));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_EQ(log.warnings[0],
            "the bright core of kernel psf.tif is not at the kernel centre (7, 15, 15), so the "
            "result is shifted by (+2, -3, +3) voxels along z, y, x; give --kernel-center peak to "
            "keep it in place, or --kernel-center scipy if the shift is intended");
  use.correlate = true;  // which moves the other way
  examine(spot_at({15, 31, 31}, {9, 12, 18}));
  ASSERT_EQ(log.warnings.size(), 2u);
  EXPECT_NE(log.warnings[1].find("(-2, +3, -3) voxels"), std::string::npos) << log.warnings[1];
}

TEST_F(ExamineKernel, WarnsOfEvenPsfsThatHaveTheirPeakBehindTheCentre) {
  examine(spot_at({16, 32, 32}, {8, 16, 16}));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("(+1, +1, +1) voxels"), std::string::npos) << log.warnings[0];
  examine(spot_at({16, 32, 32}, {7, 15, 15}));
  use.correlate = true;  // whose centre is the other of the two in the middle
  examine(spot_at({16, 32, 32}, {8, 16, 16}));
  EXPECT_EQ(log.warnings.size(), 1u);
}

TEST_F(ExamineKernel, DoesNotWarnWhereACentreWasChosenOrNoneCanBeFar) {
  use.center = CenterRule::scipy;
  examine(spot_at({15, 31, 31}, {9, 12, 18}));
  use.center = Index3{1, 2, 3};
  examine(spot_at({15, 31, 31}, {9, 12, 18}));
  use.center.reset();
  named_center = Index3{1, 2, 3};
  examine(spot_at({15, 31, 31}, {9, 12, 18}));
  named_center.reset();
  EXPECT_TRUE(log.warnings.empty()) << log.warnings.front();

  // Boxes whose largest voxel is the first of many; odd slopes; a dark corner; noise
  Volume<float> box{{1, 4, 6}}, slope{{1, 3, 3}}, grainy{{1, 9, 9}};
  std::fill(box.voxels.begin(), box.voxels.end(), 1.f);
  slope.voxels = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
  for (std::size_t i = 0; i < 81; ++i) grainy.voxels[i] = i % 2 == 0 ? 1.f : 1.01f;
  for (const Volume<float>* kernel : {&box, &slope, &grainy}) examine(*kernel);
  for (const std::string& warning : log.warnings)
    EXPECT_EQ(warning.find("not at the kernel centre"), std::string::npos) << warning;
}

TEST_F(ExamineKernel, FindsTheCoreThatABackgroundSurrounds) {
  examine(spot_at({1, 21, 21}, {0, 14, 10}, 0.2));
  ASSERT_EQ(log.warnings.size(), 2u);  // of its border, too
  EXPECT_NE(log.warnings[1].find("(+0, +4, +0) voxels"), std::string::npos) << log.warnings[1];
}

TEST_F(ExamineKernel, RefusesACentreOutsideTheKernel) {
  use.center = Index3{9, 0, 0};
  try {
    examine(spot(0, 1));
    FAIL() << "it was let pass";
  } catch (const InvalidSpec& failure) {
    EXPECT_EQ(std::string{failure.what()},
              "use kernel centre (9, 0, 0): the kernel psf.tif has 9x11x13 voxels; choose a voxel "
              "inside it");
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
