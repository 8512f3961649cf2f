// SPDX-License-Identifier: MIT
// Images with an uneven background: what is written, frame by frame, and what noise ratios make of
// it.
#include <cmath>
#include "core/base/json.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/table_of_objects.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

const std::string kUneven =
    "[background]\nphotons_per_pixel = 20\ngradient = 0.5\ngradient_degrees = 20\n"
    "field_deviation = 0.3\nfield_um = 3\ngrain_deviation = 0.2\n";

SceneSpec uneven_scene(const std::string& grid, const std::string& keys, double photons_per_um3) {
  return parse_scene("seed = 5\n" + grid +
                         "[nuclei]\ncount = 3\nradius_um = 1.3\ngap_um = 0.1\n"
                         "photons_per_um3 = " +
                         std::to_string(photons_per_um3) + "\n" + kUneven + keys,
                     "uneven");
}

struct DarkCase {
  const char* name;
  const char* grid;
  const char* keys;
};

const char* const kStack = "[grid]\nsize = [12, 40, 44]\npitch_nm = [400, 200, 200]\n";
const char* const kOptics = "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [9, 21, 21]\n";

class DarkSample : public Pipeline, public testing::WithParamInterface<DarkCase> {};

TEST_P(DarkSample, ShowsItsBackgroundAlone) {
  const SceneSpec scene = uneven_scene(GetParam().grid, std::string{kOptics} + GetParam().keys, 0);
  run(scene, "set");
  const auto photons = read<float>(folder_ / "set/photons.ome.tif");
  const Background expected = background_of(scene, 5, 0);
  const Illumination lamp{scene.illumination, scene.grid.extent, light_level(scene)};
  const Extent3 e = scene.grid.extent;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        ASSERT_EQ(photons.view()(z, y, x), static_cast<float>(expected.at(z, y, x) * lamp.at(y, x)))
            << z << ' ' << y << ' ' << x;
  for (const auto& object : test::table_of(bytes_of(folder_ / "set/objects.csv")))
    EXPECT_NEAR(object.at("snr"), 0, 1e-5) << "only the background is there";
}

const DarkCase kDarkCases[] = {
    {"stack", kStack, ""},
    {"falloff", kStack, "[illumination]\nfalloff = 0.4\ndose = 2\n"},
    {"finer", kStack, "oversample = 3\n"},
    {"binned", kStack, "[camera]\nbinning = 2\n"},
    {"plane_of_a_thick_sample",
     "[grid]\nsize = [1, 40, 44]\npitch_nm = [400, 200, 200]\nmargin_um = [2, 1, 1]\n", ""},
};
INSTANTIATE_TEST_SUITE_P(Table, DarkSample, testing::ValuesIn(kDarkCases),
                         synthoscope::test::kCaseName);

class UnevenBackground : public Pipeline {};

TEST_F(UnevenBackground, OfAFrameAloneIsThatOfAllFrames) {
  SceneSpec two = uneven_scene(kStack, kOptics, 3000);
  two.frames = 2;
  run(two, {.directory = folder_ / "all", .plans = {}});
  SimulateOptions one{.directory = folder_ / "alone", .plans = {}};
  one.frames = FrameRange{1, 1};
  run(two, one, 1);
  std::vector<std::string> stacks;
  for (const char* set : {"all", "alone"})
    for (const auto& entry : fs::recursive_directory_iterator{folder_ / set})
      if (entry.path().filename().string().find("photons") != std::string::npos &&
          entry.path().filename().string().find("1") != std::string::npos)
        stacks.push_back(bytes_of(entry.path()));
  ASSERT_EQ(stacks.size(), 2u);
  EXPECT_TRUE(stacks[0] == stacks[1]);
  EXPECT_NE(background_of(two, 5, 0).at(0, 9, 9), background_of(two, 5, 1).at(0, 9, 9));
}

TEST_F(UnevenBackground, IsLeftOutOfTheSignalWhenADoseIsSought) {
  run(uneven_scene(kStack, std::string{kOptics} + "[illumination]\nsnr = 4\n", 3000), "set");
  std::vector<double> ratios;
  for (const auto& object : test::table_of(bytes_of(folder_ / "set/objects.csv")))
    ratios.push_back(object.at("snr"));
  std::sort(ratios.begin(), ratios.end());
  ASSERT_EQ(ratios.size(), 3u);
  EXPECT_NEAR(ratios[1], 4, 0.01);
}

TEST_F(UnevenBackground, IsNamedInRecordsOnlyIfItIsThere) {
  const Json plain = record_of(tiny_scene()).at("scene");
  EXPECT_FALSE(plain.contains("medium"));
  EXPECT_FALSE(plain.at("background").contains("gradient"));
  EXPECT_FALSE(plain.at("nuclei").contains("intensity_spread"));
  const Json uneven = record_of(uneven_scene(kStack, "", 1)).at("scene");
  EXPECT_EQ(uneven.at("background").at("gradient"), 0.5);
  EXPECT_FALSE(uneven.at("background").contains("grain_um"));
}

}  // namespace
}  // namespace synthoscope::simulator
