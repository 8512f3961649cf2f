// SPDX-License-Identifier: MIT
// The light before the blur, which a data set holds beside its photons if output.light asks for it.
#include <cmath>
#include <numeric>
#include "core/base/json.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/report/data_set_reader.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

SceneSpec with_light(const std::string& keys) {
  return parse_scene(
      "seed = 5\n[output]\nlight = true\n[optics]\nna = 0.8\nimmersion_index = 1.33\n"
      "size = [9, 21, 21]\n" +
          keys,
      "lit");
}

const std::string kNuclei =
    "[grid]\nsize = [12, 40, 44]\npitch_nm = [500, 250, 250]\n"
    "[nuclei]\ncount = 3\nradius_um = 1.3\ngap_um = 0.1\nphotons_per_um3 = 3000\n";

double sum_of(const Volume<float>& image) {
  return std::accumulate(image.voxels.begin(), image.voxels.end(), 0.0);
}

TEST_F(Pipeline, PhotonsAreTheDirectSumOfTheStoredLightAndThePsf) {
  run(with_light(kNuclei + "[background]\nphotons_per_pixel = 3\n[illumination]\ndose = 2.5\n"),
      "set");
  const auto light = read<float>(folder_ / "set/light.ome.tif");
  const auto photons = read<float>(folder_ / "set/photons.ome.tif");
  const auto psf = read<float>(folder_ / "set/psf.ome.tif");
  ASSERT_EQ(light.extent, photons.extent);
  double peak = 0, worst = 0;
  for (std::int64_t z = 0; z < 12; z += 3)
    for (std::int64_t y = 1; y < 40; y += 6)
      for (std::int64_t x = 0; x < 44; x += 7) {
        double sum = 2.5 * 3;
        for (std::int64_t k = 0; k < 9; ++k)
          for (std::int64_t j = 0; j < 21; ++j)
            for (std::int64_t i = 0; i < 21; ++i) {
              const Index3 from{z + 4 - k, y + 10 - j, x + 10 - i};
              if (contains(light.extent, {from, {1, 1, 1}}))
                sum += static_cast<double>(light.view()(from.z, from.y, from.x)) *
                       static_cast<double>(psf.view()(k, j, i));
            }
        peak = std::max(peak, sum);
        worst = std::max(worst, std::abs(sum - static_cast<double>(photons.view()(z, y, x))));
      }
  EXPECT_GT(peak, 100);
  EXPECT_LE(worst, 1e-6 * peak);
}

TEST_F(Pipeline, LightOfAPartOfASampleIsThatOfItsVoxels) {
  run(with_light(kNuclei), "all");
  SceneSpec part = with_light(kNuclei);
  part.grid.extent = {8, 20, 44};
  part.margin_um = {2 * 0.5, 10 * 0.25, 0};
  run(part, "part");
  const auto all = read<float>(folder_ / "all/light.ome.tif");
  const auto seen = read<float>(folder_ / "part/light.ome.tif");
  ASSERT_EQ(seen.extent, part.grid.extent);
  EXPECT_GT(sum_of(seen), 0);
  EXPECT_LT(sum_of(seen), 0.9 * sum_of(all)) << "some of the light is in the margin";
  for (std::int64_t z = 0; z < 8; ++z)
    for (std::int64_t y = 0; y < 20; ++y)
      for (std::int64_t x = 0; x < 44; ++x)
        ASSERT_EQ(seen.view()(z, y, x), all.view()(z + 2, y + 10, x)) << Index3{z, y, x};
}

TEST_F(Pipeline, LightOnAFinerGridIsAddedUpOverPixels) {
  run(with_light(kNuclei), "coarse");
  SceneSpec scene = with_light(kNuclei);
  scene.oversample = 3;
  run(scene, "fine");
  const auto coarse = read<float>(folder_ / "coarse/light.ome.tif");
  const auto fine = read<float>(folder_ / "fine/light.ome.tif");
  ASSERT_EQ(fine.extent, coarse.extent);
  EXPECT_NEAR(sum_of(fine) / sum_of(coarse), 1, 0.02);
}

TEST_F(Pipeline, EveryChannelAndFrameHasItsLight) {
  SceneSpec scene = with_light(
      kNuclei +
      "[beads]\ncount = 2\ndiameter_spread = 0\n[[channel]]\nname = 'dna'\nlight.nuclei = 1\n"
      "[[channel]]\nname = 'dots'\nlight.beads = 1\nillumination.dose = 2\n");
  scene.frames = 2;
  run(scene, "set");
  EXPECT_GT(sum_of(read<float>(folder_ / "set/light_dna_t001.ome.tif")), 1e4);
  // Two beads, each of as many photons as the key says, at twice the dose
  const double dots = sum_of(read<float>(folder_ / "set/light_dots_t000.ome.tif"));
  EXPECT_NEAR(dots, 2 * 2 * scene.beads.photons, 0.01 * dots);
}

TEST_F(Pipeline, LayoutsOfOtherReadersHaveLightBesideTheirFolders) {
  run(with_light(kNuclei), {.directory = folder_ / "set", .layout = TruthLayout::ctc, .plans = {}});
  EXPECT_TRUE(fs::exists(folder_ / "set/light_t000.ome.tif"));
  EXPECT_TRUE(fs::exists(folder_ / "set/photons_t000.ome.tif"));
}

TEST_F(Pipeline, LightIsRecordedAndReplacedLikeEveryFile) {
  const auto report = run(with_light(kNuclei), "set");
  EXPECT_NE(std::find(report.files.begin(), report.files.end(), folder_ / "set/light.ome.tif"),
            report.files.end());
  const Json record = parse_json(bytes_of(folder_ / "set/scene.json"));
  EXPECT_EQ(record.at("scene").at("output").at("light"), true);
  EXPECT_TRUE(record.at("files").at("xxh64").contains("light.ome.tif"));
  test::TestContext test;
  EXPECT_EQ(DataSetReader{folder_ / "set"}.light(0, 0, test.context).source->pixel_type(),
            PixelType::float32);

  // A set without it is recorded as by programs that did not know the key
  SceneSpec dark = with_light(kNuclei);
  dark.output.light = false;
  EXPECT_FALSE(record_of(dark).at("scene").contains("output"));
  run(dark, {.directory = folder_ / "set", .overwrite = true, .plans = {}});
  EXPECT_FALSE(fs::exists(folder_ / "set/light.ome.tif"));
  test::expect_failure<InvalidInput>(
      [&] { static_cast<void>(DataSetReader{folder_ / "set"}.light(0, 0, test.context)); },
      {"holds no light", "output.light = true"});
}

}  // namespace
}  // namespace synthoscope::simulator
