// SPDX-License-Identifier: MIT
#include "studio/preview/region.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/preview/preview_case.hpp"

namespace synthoscope::studio {
namespace {

template <class T>
HostView3<const T> voxels_of(const SharedStack& stack) {
  return std::as_const(*stack).view().as<T>();
}

/// Calls `compare(one, whole)` for every voxel of a region and the same voxel of the whole grid.
template <class T, class Compare>
void compare_voxels(const SharedStack& part, const SharedStack& all, const Index3& origin,
                    Compare&& compare) {
  const auto a = voxels_of<T>(part), b = voxels_of<T>(all);
  for (std::int64_t z = 0; z < a.extent().z; ++z)
    for (std::int64_t y = 0; y < a.extent().y; ++y)
      for (std::int64_t x = 0; x < a.extent().x; ++x)
        compare(a(z, y, x), b(origin.z + z, origin.y + y, origin.x + x));
}

struct PreviewOfRegion : testing::TestWithParam<PreviewCase> {};

TEST_P(PreviewOfRegion, IsThatPartOfTheWhole) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const simulator::SceneSpec scene = scene_of(GetParam());
  const Box3 regions[] = {
      {{1, 4, 6}, {3, 10, 12}}, {{0, 0, 0}, {2, 24, 8}}, {{5, 20, 2}, {1, 4, 26}}};
  Preview preview{*blur};
  const Shown all = preview.make({scene, {}, GetParam().frame}, run.context);
  std::int64_t voxels = 0, different = 0;
  for (const Box3& region : regions) {
    const Shown part = preview.make({scene, region, GetParam().frame}, run.context);
    ASSERT_EQ(part.region, region);
    compare_voxels<std::uint16_t>(part.labels, all.labels, region.origin,
                                  [](auto one, auto other) { ASSERT_EQ(one, other); });
    for (std::size_t i = 0; i < part.images.size(); ++i) {
      const ShownImage &image = part.images[i], &of_all = all.images[i];
      compare_voxels<float>(image.light, of_all.light, region.origin,
                            [](auto one, auto other) { ASSERT_EQ(one, other); });
      compare_voxels<float>(image.photons, of_all.photons, region.origin, [](auto one, auto other) {
        ASSERT_NEAR(one, other, 1e-3 + 1e-5 * std::abs(other));
      });
      const std::int64_t bin = voxels_of<float>(of_all.photons).extent().x /
                               voxels_of<std::uint16_t>(of_all.counts).extent().x;
      const Index3 pixel{region.origin.z, region.origin.y / bin, region.origin.x / bin};
      compare_voxels<std::uint16_t>(image.counts, of_all.counts, pixel, [&](auto one, auto other) {
        ++voxels;
        different += one != other;
      });
    }
  }
  // Photons of different windows differ by rounding; few counts are at an edge
  EXPECT_LE(different, 1 + voxels / 10000);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PreviewOfRegion, testing::ValuesIn(kPreviewCases),
                         test::kCaseName);

TEST(PreviewOfARegion, IsTheSameWithLightThatIsKept) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const std::string grid = "seed = 5\n[grid]\nsize = [4, 90, 100]\npitch_nm = [400, 200, 200]\n";
  const auto scene = [&](int psf) {
    return simulator::parse_scene(grid + kTwoNuclei +
                                      "[optics]\nmodel = \"born-wolf\"\nna = 0.8\n" +
                                      "size = [3, 7, " + std::to_string(psf) + "]\n",
                                  "a scene");
  };
  const Box3 left{{0, 20, 20}, {4, 20, 20}}, beside{{1, 24, 25}, {3, 14, 18}},
      far{{0, 60, 70}, {4, 20, 20}};
  Preview kept{*blur};
  const PreviewRequest requests[] = {
      {scene(7), left}, {scene(9), left}, {scene(9), beside}, {scene(41), beside}, {scene(9), far}};
  for (const PreviewRequest& request : requests)
    EXPECT_EQ(AllOf{kept.make(request, run.context)},
              AllOf{Preview{*blur}.make(request, run.context)});
}

TEST(WithReserve, IsWiderAndInTheGrid) {
  EXPECT_EQ(with_reserve({{5, 40, 70}, {20, 30, 30}}, {30, 200, 110}),
            (Box3{{0, 24, 54}, {30, 62, 56}}));
}

TEST(UsableRegion, IsTheMiddleOfALargeGrid) {
  const simulator::Grid grid{{100, 1000, 150}, {1, 1, 1}};
  EXPECT_EQ(usable_region(grid, {}, {}), (Box3{{26, 404, 0}, {48, 192, 150}}));
}

TEST(UsableRegion, HasWholePixelsOfAllCameras) {
  const simulator::Grid grid{{4, 60, 60}, {1, 1, 1}};
  std::vector<simulator::Channel> channels(2);
  channels[0].scene.camera.binning = 2;
  channels[1].scene.camera.binning = 3;
  EXPECT_EQ(usable_region(grid, channels, Box3{{1, 5, 7}, {2, 2, 5}}),
            (Box3{{1, 0, 6}, {2, 12, 6}}));
}

TEST(UsableRegion, LiesInTheGrid) {
  const simulator::Grid grid{{4, 60, 60}, {1, 1, 1}};
  for (const Box3& one : {Box3{{0, 0, 0}, {5, 1, 1}}, Box3{{0, 0, 0}, {1, 0, 1}},
                          Box3{{-1, 0, 0}, {1, 1, 1}}, Box3{{0, 59, 0}, {1, 2, 1}}})
    test::expect_failure<InvalidSpec>([&] { usable_region(grid, {}, one); },
                                      {"preview the region", "4x60x60", "give a region in it"});
}

}  // namespace
}  // namespace synthoscope::studio
