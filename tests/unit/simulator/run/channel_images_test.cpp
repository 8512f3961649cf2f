// SPDX-License-Identifier: MIT
// channel_images_test.cpp — images of several channels: one world, each with its own optics, camera
// and noise.
#include <gtest/gtest.h>
#include <algorithm>
#include <string>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/data_set/preview.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/share/data_set_state.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const std::string kScene =
    "seed = 5\n[grid]\nsize = [10, 36, 40]\npitch_nm = [400, 200, 200]\n"
    "[nuclei]\ncount = 2\nradius_um = 1.2\ngap_um = 0.1\nphotons_per_um3 = 3000\n"
    "[beads]\ncount = 3\ndiameter_um = 0.5\n"
    "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [9, 21, 21]\n";

std::string channel(const std::string& name, const std::string& keys) {
  return "[[channel]]\nname = \"" + name + "\"\n" + keys;
}

constexpr const char* kAllLight = "light.nuclei = 1\nlight.beads = 1\nlight.target = 1\n";

class ChannelImages : public testing::Test {
 protected:
  SimulationReport run(const std::string& toml, const char* name, SimulateOptions options = {}) {
    synthoscope::test::TestContext run;
    const auto executor = fftconv::make_host_executor({run.memory.limit()});
    options.directory = folder / name;
    return simulate(parse_scene(toml, name), options, *executor, run.context);
  }
  template <class T>
  [[nodiscard]] std::vector<T> voxels(const std::string& file) const {
    const auto image = imageio::open_image(folder / file);
    Volume<T> all{image.info.extent};
    image.source->read(whole(all.extent), VoxelView{all.view()});
    return all.voxels;
  }
  synthoscope::test::TemporaryFolder folder;
};

TEST_F(ChannelImages, OfAChannelThatSeesAllAreThoseOfTheSceneWithoutChannels) {
  run(kScene, "plain");
  run(kScene + channel("all", kAllLight), "set");
  for (const char* stack : {"photons", "psf"})
    EXPECT_EQ(voxels<float>("set/" + std::string{stack} + "_all.ome.tif"),
              voxels<float>("plain/" + std::string{stack} + ".ome.tif"));
  EXPECT_EQ(voxels<std::uint16_t>("set/image_all.ome.tif"),
            voxels<std::uint16_t>("plain/image.ome.tif"));
  EXPECT_EQ(voxels<std::uint16_t>("set/labels.ome.tif"),
            voxels<std::uint16_t>("plain/labels.ome.tif"));
}

TEST_F(ChannelImages, HaveNoiseOfTheirOwnWhichFollowsFromStoredPhotons) {
  const std::string toml = kScene + channel("a", kAllLight) + channel("b", kAllLight);
  run(toml, "set");
  EXPECT_EQ(voxels<float>("set/photons_a.ome.tif"), voxels<float>("set/photons_b.ome.tif"));
  EXPECT_NE(voxels<std::uint16_t>("set/image_a.ome.tif"),
            voxels<std::uint16_t>("set/image_b.ome.tif"));
  const auto image = imageio::open_image(folder / "set/photons_b.ome.tif");
  const auto photons = read_all<float>(*image.source);
  CameraEpilogue camera{parse_scene(kScene, "s").camera, {5, 0, 1}, photons.extent};
  Volume<std::uint16_t> counts{photons.extent};
  camera.apply(whole(photons.extent), photons.view(), VoxelView{counts.view()});
  EXPECT_EQ(counts.voxels, voxels<std::uint16_t>("set/image_b.ome.tif"));
}

TEST_F(ChannelImages, MixTheLightOfKindsByTheirWeights) {
  run(kScene + channel("nuclei", "light.nuclei = 1\n") + channel("beads", "light.beads = 1\n") +
          channel("mixed", "light.nuclei = 0.25\nlight.beads = 2\n"),
      "set");
  const auto nuclei = voxels<float>("set/photons_nuclei.ome.tif"),
             beads = voxels<float>("set/photons_beads.ome.tif"),
             mixed = voxels<float>("set/photons_mixed.ome.tif");
  const float background = static_cast<float>(SceneSpec{}.background_photons);
  const float peak = *std::max_element(mixed.begin(), mixed.end());
  EXPECT_GT(peak, 10 * background);
  for (std::size_t i = 0; i < mixed.size(); ++i)
    ASSERT_NEAR(mixed[i] - background,
                0.25f * (nuclei[i] - background) + 2 * (beads[i] - background), 1e-5f * peak);
}

TEST_F(ChannelImages, OfOneAloneAreThoseOfAll) {
  const std::string toml = kScene + channel("a", kAllLight) +
                           channel("b", "light.beads = 1\noptics.na = 0.6\ncamera.binning = 2\n");
  run(toml, "set");
  const auto report = run(toml, "one", {.directory = {}, .channel = "b"});
  EXPECT_EQ(report.images.size(), 1u);
  EXPECT_EQ(report.files.size(), 9u);
  EXPECT_EQ(voxels<std::uint16_t>("one/image_b.ome.tif"),
            voxels<std::uint16_t>("set/image_b.ome.tif"));
  EXPECT_EQ(imageio::inspect(folder / "set/image_a.ome.tif").extent, (Extent3{10, 36, 40}));
  EXPECT_EQ(imageio::inspect(folder / "set/image_b.ome.tif").extent, (Extent3{10, 18, 20}));
}

TEST_F(ChannelImages, OfSeveralFramesHaveTheFirstFrameOfASingleOne) {
  const std::string channels = channel("a", kAllLight) + channel("b", "light.beads = 1\n");
  run(kScene + channels, "one");
  const auto report = run("frames = 2\n" + kScene + channels, "two");
  EXPECT_EQ(report.files.size(), 2 * 5 + 2 + 5u);
  for (const char* image : {"image_a", "image_b"})
    EXPECT_EQ(voxels<std::uint16_t>(std::string{"two/"} + image + "_t000.ome.tif"),
              voxels<std::uint16_t>(std::string{"one/"} + image + ".ome.tif"));
}

TEST_F(ChannelImages, NeedTheMemoryOfOneAtATime) {
  // The budget that is named for a scene that gets next to nothing is enough
  const auto named = [&](const std::string& toml) {
    return synthoscope::test::size_behind("give --memory ", [&] {
      synthoscope::test::TestContext little{2, 1000};
      const auto executor = fftconv::make_host_executor({1000});
      simulate(parse_scene(toml, "s"), {.directory = folder / "set"}, *executor, little.context);
    });
  };
  const std::string large = "optics.size = [19, 71, 79]\n";
  const auto one = named(kScene + channel("a", kAllLight + large));
  const auto four =
      named(kScene + channel("a", kAllLight + large) + channel("b", kAllLight + large) +
            channel("c", kAllLight + large) + channel("d", kAllLight + large));
  // Its picture alone is larger
  const SceneSpec scene = parse_scene(kScene, "s");
  EXPECT_LE(synthoscope::test::less_than_named(four) - one,
            preview_bytes(scene, 4, 2) - preview_bytes(scene, 1, 2));
  synthoscope::test::TestContext enough{2, four};
  const auto executor = fftconv::make_host_executor({four});
  simulate(parse_scene(kScene + channel("a", kAllLight + large) + channel("b", kAllLight + large) +
                           channel("c", kAllLight + large) + channel("d", kAllLight + large),
                       "s"),
           {.directory = folder / "set"}, *executor, enough.context);
  EXPECT_LE(enough.memory.peak(), four);
}

TEST_F(ChannelImages, AreRecognisedWhenTheyAreWhole) {
  const std::string toml = kScene + channel("a", kAllLight) + channel("b", "light.beads = 1\n");
  run(toml, "set");
  synthoscope::test::TestContext test;
  SceneInputs inputs{test.stop};
  const SimulateOptions options{.directory = folder / "set"};
  const auto standing = [&](const std::string& scene) {
    const auto spec = parse_scene(scene, "s");
    const auto plans = plan_simulation(spec, {test.memory.limit()}, test.context, options);
    return data_set_state_of(spec, options, plans, inputs, test.pool);
  };
  EXPECT_EQ(standing(toml).kind, DataSetState::Kind::finished);
  EXPECT_NE(standing(toml + "light.nuclei = 0.1\n").difference, "");
}

TEST_F(ChannelImages, AreRefusedByLayoutsOfOneImage) {
  const std::string toml = kScene + channel("a", kAllLight) + channel("b", "light.beads = 1\n");
  synthoscope::test::expect_failure<InvalidSpec>(
      [&] { run(toml, "set", {.directory = {}, .layout = TruthLayout::stardist}); },
      {"stardist", "the scene has a, b", "--channel"});
  const auto report =
      run(toml, "set", {.directory = {}, .layout = TruthLayout::stardist, .channel = "b"});
  EXPECT_EQ(voxels<std::uint16_t>("set/images/t000.tif").size(), 10u * 36 * 40);
}

}  // namespace
}  // namespace synthoscope::simulator
