// SPDX-License-Identifier: MIT
#include "fftconv/kernel_use.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/error.hpp"
#include "core/memory_stream.hpp"

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
  EXPECT_NE(log.warnings[0].find("the border of kernel psf.tif carries"), std::string::npos);
  EXPECT_NE(log.warnings[0].find("a background of 100 carries 96 %"), std::string::npos)
      << log.warnings[0];
}

TEST_F(ExamineKernel, WarnsOfLightThatTheEdgesCutOffUnlessThePsfHasSaidSo) {
  Volume<float> wide{{5, 5, 5}};
  for (std::size_t i = 0; i < 125; ++i) wide.voxels[i] = i % 5 == 2 ? 1.f : 0.f;
  examine(wide);
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("its edges cut light off"), std::string::npos) << log.warnings[0];
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
  ASSERT_EQ(log.warnings.size(), 2u);
  EXPECT_NE(log.warnings[1].find("is negative"), std::string::npos) << log.warnings[1];
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

TEST_F(ExamineKernel, RefusesACentreOutsideTheKernel) {
  use.center = Index3{9, 0, 0};
  try {
    examine(spot(0, 1));
    FAIL() << "it was let pass";
  } catch (const InvalidSpec& failure) {
    EXPECT_EQ(
        std::string{failure.what()},
        "use kernel centre (9, 0, 0): the kernel psf.tif holds 9x11x13 voxels; choose a voxel "
        "inside it");
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
