// SPDX-License-Identifier: MIT
// Golden values are those of scikit-image 0.26.0 and numpy 2.4.6 for the images of
// image_volumes.hpp.
#include "score/images/image_scores.hpp"
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "tests/unit/score/images/image_volumes.hpp"

namespace synthoscope::score {
namespace {

template <class A, class B>
Json scores_of(const Volume<A>& truth, const Volume<B>& result, const VoxelSize& voxel,
               bool shells = true, int threads = 2) {
  return test::with_pair(
      truth, result,
      [&](const ScoredImage& t, const ScoredImage& r, const RunContext& context) {
        return json_of(image_scores({t, r, voxel, nullptr, FourierWindow::tukey, shells}, context));
      },
      threads);
}

struct Golden {
  const char* key;
  double value;
};

void expect_golden(const Json& json, std::initializer_list<Golden> rows) {
  for (const Golden& golden : rows) {
    const Json& value = json.at(Json::json_pointer{golden.key});
    ASSERT_TRUE(value.is_number()) << golden.key << ": " << value;
    EXPECT_NEAR(value.get<double>(), golden.value, 1e-9) << golden.key;
  }
}

TEST(ImageScores, OfAStackAreThoseOfScikitImageAndNumpy) {
  const Extent3 extent{12, 16, 13};
  const Json json = scores_of(test::wavy_truth(extent), test::wavy_result(extent), {0.3, 0.1, 0.1});
  expect_golden(json, {{"/nrmse", 0.10911389297914767},
                       {"/psnr", 20.365870293559055},
                       {"/ssim", 0.92557277993224},
                       {"/ssim_3d", 0.9241150717767658},
                       {"/fsc_um", 0.27709832502639103},
                       {"/gain", 1.2097080396710373},
                       {"/offset", -11.260989154920779},
                       {"/pearson", 0.9832477175240059},
                       {"/fitted/nrmse", 0.056906914927682475},
                       {"/fitted/psnr", 26.020170470641062},
                       {"/fitted/ssim", 0.9403750109867844},
                       {"/fitted/ssim_3d", 0.936598887506717},
                       {"/fsc/half_bit_um", 0.3674091744807428},
                       {"/fsc/correlation/0", 0.9998285468243264},
                       {"/fsc/correlation/9", 0.19458826163463921},
                       {"/fsc/correlation/17", 0.5434994046156412},
                       {"/fsc/samples/17", 209},
                       {"/fsc/per_um/17", 5},
                       {"/frc/correlation/7", 0.47695550617654014},
                       {"/frc/samples/7", 348},
                       {"/depth/3/nrmse", 0.10920647253355113},
                       {"/depth/3/psnr", 20.454840117889592},
                       {"/depth/3/ssim", 0.9069249892856579},
                       {"/depth/3/fitted/nrmse", 0.05913176889809479},
                       {"/depth/3/fitted/ssim", 0.9367066737981765},
                       {"/depth/3/frc/half_bit_um", 0.4088376169239404},
                       {"/depth/3/depth_um", 0.9}});
  EXPECT_EQ(json["frc"]["seventh"], "above");
  EXPECT_TRUE(json["frc"]["seventh_um"].is_null());
  EXPECT_EQ(json["depth"].size(), 12u);
}

TEST(ImageScores, OfAPlaneAreThoseOfScikitImageAndNumpy) {
  const Extent3 extent{1, 20, 18};
  const Json json =
      scores_of(test::wavy_truth(extent), test::wavy_result(extent), {0.3, 0.1, 0.12});
  expect_golden(json, {{"/nrmse", 0.10814470565376628},
                       {"/ssim", 0.9225874788397223},
                       {"/fitted/ssim", 0.943141088256301},
                       {"/frc/half_bit_um", 0.28279064973025614},
                       {"/frc/correlation/7", 0.1782310169425554},
                       {"/frc/samples/8", 43}});
  EXPECT_TRUE(json["ssim_3d"].is_null());
  EXPECT_FALSE(json.contains("fsc"));
}

TEST(ImageScores, OfAPlaneHaveTheCrossingOfItsRings) {
  const Volume<double> truth = test::wavy_truth({1, 40, 40});
  Volume<double> result = truth;
  for (std::size_t i = 0; i < result.voxels.size(); ++i)
    result.voxels[i] += static_cast<double>(i * i % 101);
  const Json json = scores_of(truth, result, {1, 0.1, 0.1});
  EXPECT_EQ(json["frc"]["seventh"], "crossed");
  EXPECT_EQ(json["fsc_um"], json["frc"]["seventh_um"]);
}

TEST(ImageScores, OfTheTruthItselfArePerfect) {
  const Extent3 extent{11, 12, 13};
  const Json json = scores_of(test::wavy_truth(extent), test::wavy_truth(extent), {1, 1, 1});
  EXPECT_EQ(json["nrmse"], 0);
  EXPECT_TRUE(json["psnr"].is_null()) << "infinite";
  EXPECT_NEAR(json["ssim"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(json["pearson"].get<double>(), 1, 1e-12);
  EXPECT_EQ(json["fsc"]["seventh"], "above");
}

TEST(ImageScores, DependOnValuesAndNotOnTheirType) {
  const Extent3 extent{11, 20, 21};
  const auto make = [&]<class T>(T, int step) {
    return test::made_image<T>(extent, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      return (x * x + 3 * y + z * step) % 120;
    });
  };
  const Json expected =
      scores_of(make(std::uint8_t{}, 5), make(std::uint16_t{}, 7), {0.5, 0.2, 0.2}, true, 1);
  EXPECT_EQ(scores_of(make(float{}, 5), make(double{}, 7), {0.5, 0.2, 0.2}, true, 3), expected);
  EXPECT_EQ(scores_of(make(std::int32_t{}, 5), make(std::int8_t{}, 7), {0.5, 0.2, 0.2}), expected);
}

TEST(ImageScores, LeaveShellsOutIfTheyAreNotWanted) {
  const Extent3 extent{3, 12, 13};
  const Json json =
      scores_of(test::wavy_truth(extent), test::wavy_result(extent), {1, 1, 1}, false);
  EXPECT_TRUE(json["fsc_um"].is_null());
  EXPECT_FALSE(json.contains("fsc"));
}

}  // namespace
}  // namespace synthoscope::score
