// SPDX-License-Identifier: MIT
#include "simulator/run/dose.hpp"
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "simulator/run/dose_series.hpp"
#include "simulator/run/frame_maker.hpp"
#include "simulator/share/scene_share.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

struct DoseCase {
  const char* name;
  std::string first, more;
};
const DoseCase kCases[] = {
    {"one_frame", "", ""},
    {"independent_frames", "frames = 3\n", ""},
    {"more_frames_than_decide", "frames = 10\n", ""},
    {"a_movie_that_bleaches", "frames = 3\n",
     "[time]\ninterval_seconds = 60\nbleaching_seconds = 100\n"},
    {"binned", "", "[camera]\nbinning = 2\n"},
    {"an_uneven_field", "", "[illumination]\nfalloff = 0.5\nsnr = 6\n"},
    {"light_in_a_second", "",
     "[camera]\nexposure_seconds = 0.2\n[illumination]\nphotons_per = \"second\"\nsnr = 6\n"},
};

SceneSpec scene_of(const DoseCase& one) {
  std::string text = "seed = 5\n" + one.first +
                     "[grid]\nsize = [12, 40, 44]\npitch_nm = [400, 200, 200]\n"
                     "[nuclei]\ncount = 3\nradius_um = 1.3\ngap_um = 0.1\nphotons_per_um3 = 3000\n"
                     "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [9, 21, 21]\n" +
                     one.more;
  if (one.more.find("snr") == std::string::npos) text += "[illumination]\nsnr = 6\n";
  return parse_scene(text, "scene");
}

class FindsTheDose : public Pipeline, public testing::WithParamInterface<DoseCase> {};

TEST_P(FindsTheDose, OfTheMedianObject) {
  const SceneSpec wished = scene_of(GetParam());
  const auto done = run(wished, "wished");
  const ImagingReport& image = done.images.front();
  ASSERT_TRUE(image.dose && image.median_snr);
  if (frames_for_dose(wished) == wished.frames) {  // all decide
    EXPECT_NEAR(*image.median_snr / 6, 1, 1e-3);
  }

  // The same bytes as with this dose
  SceneSpec given = wished;
  given.illumination.snr.reset();
  given.illumination.dose = *image.dose;
  run(given, "given");
  EXPECT_EQ(bytes_of(folder_ / "wished" / "objects.csv"), bytes_of(folder_ / "given/objects.csv"));
  for (const auto& file : done.files) {
    if (!file.filename().string().starts_with("image")) continue;
    const auto same = folder_ / "given" / fs::relative(file, folder_ / "wished");
    EXPECT_EQ(read<std::uint16_t>(file).voxels, read<std::uint16_t>(same).voxels) << same;
  }
  EXPECT_EQ(parse_json(bytes_of(folder_ / "wished" / "scene.json")).at("dose").get<double>(),
            *image.dose);
}
INSTANTIATE_TEST_SUITE_P(Simulate, FindsTheDose, testing::ValuesIn(kCases), test::kCaseName);

class Dose : public Pipeline {
 protected:
  test::TestContext here_;
  std::unique_ptr<fftconv::Executor> blur_ = fftconv::make_host_executor({here_.memory.limit()});
};

TEST_F(Dose, OfFramesInMemoryIsThatOfTheSet) {
  const SceneSpec scene = scene_of(kCases[1]);
  std::vector<fs::path> images;
  for (const auto& file : run(scene, "set").files)
    if (file.filename().string().starts_with("image")) images.push_back(file);
  FrameMaker maker{scene, {}, *blur_, here_.context};
  const Extent3& e = scene.grid.extent;
  Volume<std::uint16_t> labels{e}, counts{e};
  Volume<float> light{e};
  maker.make(1, {labels.view(), {}, {{counts.view(), VoxelView{light.view()}}}}, here_.context);
  EXPECT_EQ(counts.voxels, read<std::uint16_t>(images.at(1)).voxels);
}

TEST_F(Dose, IsFoundForEachChannel) {
  SceneSpec scene = scene_of(kCases[0]);
  scene = parse_scene(to_toml(scene) +
                          "[[channel]]\nname = \"dim\"\nlight.nuclei = 0.01\n"
                          "[[channel]]\nname = \"given\"\nlight.nuclei = 1\n",
                      "scene");
  const auto done = run(scene, "set");
  EXPECT_NEAR(*done.images[0].median_snr / 6, 1, 1e-3);
  EXPECT_NEAR(*done.images[1].median_snr / 6, 1, 1e-3);
  EXPECT_GT(*done.images[0].dose, 20 * *done.images[1].dose);
}

TEST_F(Dose, OfAVolumeInShardsMustBeGiven) {
  const SimulateOptions options{.directory = folder_ / "set", .plans = {}};
  test::expect_failure<InvalidSpec>(
      [&] {
        share_scene(scene_of(kCases[0]), options, {1, 2}, *blur_, here_.context);
      },
      {"illumination.snr is 6", "no shard sees all objects", "illumination.dose"});
  EXPECT_TRUE(entries().empty());
}

TEST_F(Dose, SeriesHasAPlaneForEachDoseAndChannel) {
  const SceneSpec scene = tiny_scene();
  const auto planes = record_doses(scene, {0.1, 1, 10}, {}, *blur_, here_.context);
  ASSERT_EQ(planes.size(), 3U);
  SceneSpec brighter = scene;
  brighter.illumination.dose = 10;
  const auto done = run(brighter, "set");
  EXPECT_NEAR(*planes[2].snr, *done.images.front().median_snr, 1e-4);
  const auto image = read<std::uint16_t>(folder_ / "set" / "image.ome.tif");
  // Noise is that of the set: one of its planes, but for photons that round differently
  std::int64_t fewest = volume(scene.grid.extent);
  for (std::int64_t z = 0; z < scene.grid.extent.z; ++z) {
    std::int64_t others = 0;
    for (std::int64_t i = 0; i < 40 * 44; ++i)
      others += static_cast<float>(image.voxels[static_cast<std::size_t>(z * 40 * 44 + i)]) !=
                planes[2].counts.values[static_cast<std::size_t>(i)];
    fewest = std::min(fewest, others);
  }
  EXPECT_LT(fewest, 20);
}

}  // namespace
}  // namespace synthoscope::simulator
