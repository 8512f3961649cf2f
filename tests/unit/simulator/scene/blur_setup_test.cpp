// SPDX-License-Identifier: MIT
// blur_setup_test.cpp — the pixel's extent comes in once, whatever the scene leaves open.
#include "simulator/scene/blur_setup.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

struct PixelCase {
  const char* name;
  const char* scene;
  std::optional<bool> integrates;
  const char* warning;  ///< a part of it; empty: nothing is said
};
constexpr PixelCase kPixels[] = {
    {"bodies", "", false, ""},
    {"bodies_on", "[optics]\npixel_integration = true\n", true, "one pixel too wide"},
    {"bodies_off", "[optics]\npixel_integration = false\n", false, ""},
    {"bodies_oversampled", "[optics]\noversample = 3\n", false, ""},
    {"points", "[target]\nkind = \"points\"\n", true, ""},
    {"points_off", "[target]\nkind = \"points\"\n[optics]\npixel_integration = false\n", false,
     "one pixel too narrow; leave it out"},
    {"points_oversampled", "[target]\nkind = \"points\"\n[optics]\noversample = 3\n", true, ""},
    {"coarse_bodies",
     "[optics]\nna = 0.2\nimmersion_index = 1\n[grid]\npitch_nm = [9000, 1600, "
     "1600]\n",
     true, ""},
    {"coarse_bodies_on",
     "[optics]\nna = 0.2\nimmersion_index = 1\npixel_integration = true\n[grid]\npitch_nm = "
     "[9000, 1600, 1600]\n",
     true, ""},
    {"coarse_bodies_oversampled",
     "[optics]\nna = 0.2\nimmersion_index = 1\noversample = 2\n[grid]\npitch_nm = [9000, 1600, "
     "1600]\n",
     false, ""},
    {"measured_bodies", "[optics]\nmodel = \"file\"\nfile = \"psf.tif\"\n", std::nullopt, ""},
    {"measured_bodies_off",
     "[optics]\nmodel = \"file\"\nfile = \"psf.tif\"\npixel_integration = false\n", false, ""},
    {"measured_bodies_on",
     "[optics]\nmodel = \"file\"\nfile = \"psf.tif\"\npixel_integration = true\n", true,
     "averages already"},
    {"measured_points",
     "[target]\nkind = \"points\"\n[optics]\nmodel = \"file\"\nfile = "
     "\"psf.tif\"\n",
     true, ""},
    {"measured_points_off",
     "[target]\nkind = \"points\"\n[optics]\nmodel = \"file\"\nfile = "
     "\"psf.tif\"\npixel_integration = false\n",
     false, ""},
    {"measured_points_oversampled",
     "[target]\nkind = \"points\"\n[optics]\nmodel = \"file\"\nfile = "
     "\"psf.tif\"\noversample = 3\n",
     std::nullopt, "leave oversample out"},
    {"points_beside_nuclei", "[nuclei]\ncount = 3\n[target]\nkind = \"points\"\n", false,
     "set optics.oversample = 3"},
    {"points_beside_beads", "[beads]\ncount = 3\n[target]\nkind = \"points\"\n", false,
     "set optics.oversample = 3"},
    {"lines", "[target]\nkind = \"lines\"\n", false, ""},
    {"mixed_oversampled",
     "[nuclei]\ncount = 3\n[target]\nkind = \"points\"\n[optics]\noversample = 3\n", false, ""},
};

class PixelOf : public testing::TestWithParam<PixelCase> {};

TEST_P(PixelOf, ComesInOnceOrIsWarnedAbout) {
  const SceneSpec scene = parse_scene(GetParam().scene, "scene");
  EXPECT_EQ(blur_optics(scene).pixel_integration, GetParam().integrates);
  const auto warning = pixel_warning(scene);
  EXPECT_EQ(warning.has_value(), *GetParam().warning != '\0');
  if (warning) {
    EXPECT_NE(warning->find(GetParam().warning), std::string::npos) << *warning;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, PixelOf, testing::ValuesIn(kPixels), test::kCaseName);

TEST(BlurSetup, ReachesAsManyMicrometresOnAFinerGrid) {
  SceneSpec scene;
  scene.oversample = 3;
  EXPECT_EQ(blur_grid(scene).extent, (Extent3{64, 768, 768}));
  EXPECT_EQ(blur_grid(scene).pitch, (VoxelSize{0.25, 0.09 / 3, 0.09 / 3}));
  EXPECT_EQ(blur_sizing(scene).lateral_limit, 1531);
  EXPECT_EQ(blur_sizing(scene).volume, blur_grid(scene).extent);
}

TEST(BlurSetup, LeavesPointsWhereTheyAreOnAFinerGrid) {
  const SceneSpec scene = parse_scene(
      "[grid]\nsize = [5, 40, 30]\npitch_nm = [300, 90, 70]\n"
      "[target]\nkind = \"points\"\nspacing_um = [0.6, 1, 1]\nphotons = 1000\n",
      "scene");
  test::TestContext run;
  const Phantom phantom = make_phantom(phantom_of(scene), scene.grid, 1, run.context);
  PhantomSource source{phantom};
  const Volume<double> light = read_all<double>(source);
  ASSERT_GT(std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0), 1999);
  for (const std::int64_t n : {3, 5, 7}) {
    const Phantom finer = refined(phantom, n);
    PhantomSource finer_source{finer};
    const Volume<double> fine = read_all<double>(finer_source);
    ASSERT_EQ(fine.extent, (Extent3{5, 40 * n, 30 * n}));
    // Every pixel holds its point's light, with its centre of mass in the middle
    for (std::int64_t z = 0; z < 5; ++z)
      for (std::int64_t y = 0; y < 40; ++y)
        for (std::int64_t x = 0; x < 30; ++x) {
          double sum = 0, down = 0, right = 0;
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              const double share = fine.view()(z, y * n + i, x * n + j);
              sum += share;
              down += share * (static_cast<double>(2 * i + 1 - n));
              right += share * (static_cast<double>(2 * j + 1 - n));
            }
          ASSERT_EQ(sum, light.view()(z, y, x)) << n;
          ASSERT_EQ(down, 0);
          ASSERT_EQ(right, 0);
        }
  }
}

struct RefusalCase {
  const char* name;
  const char* scene;
  const char *found, *remedy;
};
const RefusalCase kRefusals[] = {
    {"a_grid_that_is_too_fine", "[grid]\nsize = [1, 8, 200000]\n[optics]\noversample = 6\n",
     "optics.oversample is 6, which makes 1x48x1200000", "lower one of them"},
    {"points_between_voxels", "[target]\nkind = \"points\"\n[optics]\noversample = 4\n",
     "optics.oversample is 4", "make it odd"},
    {"samples_that_make_light",
     "[grid]\npitch_nm = [9000, 1600, 3000]\n[optics]\nna = 0.2\nimmersion_index = 1\n"
     "pixel_integration = false\n",
     "pixel_integration is false, and samples of the PSF 3 um apart", "oversample = 3"},
};

class BlurSetupRefuses : public testing::TestWithParam<RefusalCase> {};

TEST_P(BlurSetupRefuses, WithOneSentence) {
  test::expect_failure<InvalidSpec>([] { parse_scene(GetParam().scene, "scene"); },
                                    {GetParam().found, GetParam().remedy});
}

INSTANTIATE_TEST_SUITE_P(Scenes, BlurSetupRefuses, testing::ValuesIn(kRefusals), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
