// SPDX-License-Identifier: MIT
#include "simulator/run/frame_maker.hpp"
#include <gtest/gtest.h>
#include <deque>
#include <memory>
#include <vector>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr const char* kScene =
    "seed = 5\nframes = 3\n[grid]\nsize = [8, 32, 36]\npitch_nm = [400, 200, 200]\n"
    "[nuclei]\ncount = 2\nradius_um = 1.1\ngap_um = 0.1\nphotons_per_um3 = 3000\n";
constexpr const char* kOptics = "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [5, 9, 9]\n";

struct MakerCase {
  const char* name;
  std::string more;
};
const MakerCase kCases[] = {
    {"plain", ""},
    {"binned", "[camera]\nbinning = 2\n"},
    {"eight_bits", "[camera]\nbit_depth = 8\n"},
    {"oversampled", "oversample = 2\n"},
    {"a_psf_that_varies", "model = \"gibson-lanni\"\nsample_index = 1.4\ndepth_varying = true\n"},
    {"a_movie_out_of_focus",
     "[time]\ninterval_seconds = 60\ndiffusion_um2_per_second = 0.001\n"
     "focus_drift_um_per_second = 0.001\n"},
    {"cells_with_structures",
     "[cells]\ncount = 1\nradius_um = 0.9\nnucleus_radius_um = 0.25\ngap_um = 0\n"},
    {"channels",
     "[[channel]]\nname = \"red\"\noptics.wavelength_nm = 610\nlight.nuclei = 1\n"
     "[[channel]]\nname = \"green\"\nlight.nuclei = 0.5\n"},
};

/// A frame, and the memory that it is made in.
struct OwnedFrame {
  OwnedFrame(const FrameMaker& maker, bool photons)
      : labels{maker.scene().grid.extent}, structures{maker.scene().grid.extent} {
    for (const auto& image : maker.images()) {
      counts.emplace_back(static_cast<std::size_t>(volume(image.extent) * size_of(image.type)));
      light.emplace_back(maker.scene().grid.extent);
      VoxelView view{counts.back().data(), image.type, image.extent};
      voxels.images.push_back({view, {}});
      if (photons) voxels.images.back().photons = light.back().view();
    }
    if (maker.has_structures()) voxels.structures = structures.view();
  }
  Volume<std::uint16_t> labels;
  Volume<std::uint8_t> structures;
  std::deque<std::vector<std::byte>> counts;
  std::deque<Volume<float>> light;
  FrameVoxels voxels{labels.view(), {}, {}};
};

std::vector<std::byte> bytes_in(const std::filesystem::path& path) {
  const auto image = imageio::open_image(path);
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(volume(image.info.extent) * size_of(image.info.type)));
  image.source->read(whole(image.info.extent),
                     VoxelView{bytes.data(), image.info.type, image.info.extent});
  return bytes;
}

std::vector<std::byte> bytes_of(const VoxelView& view) {
  return {view.data(), view.data() + view.bytes()};
}

class MakesFrames : public testing::TestWithParam<MakerCase> {
 protected:
  const SceneSpec scene = parse_scene(std::string{kScene} + kOptics + GetParam().more, "scene");
  test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
};

TEST_P(MakesFrames, AsTheDataSetHasThemInAnyOrder) {
  const test::TemporaryFolder folder;
  const SimulateOptions options{.directory = folder.path() / "set", .plans = {}};
  const auto done = simulate(scene, options, *blur, run.context);
  FrameMaker maker{scene, {}, *blur, run.context};
  ASSERT_EQ(maker.frames(), 3);
  const auto images = maker.images();
  ASSERT_EQ(images.size(), done.images.size());
  for (const std::int64_t frame : {2, 0, 1, 2}) {
    OwnedFrame made{maker, true};
    maker.make(frame, made.voxels, run.context);
    const auto file = [&](const std::string& name) {
      return options.directory / (name + "_t00" + std::to_string(frame) + ".ome.tif");
    };
    EXPECT_EQ(bytes_of(made.voxels.labels), bytes_in(file("labels"))) << frame;
    if (maker.has_structures()) {
      EXPECT_EQ(bytes_of(*made.voxels.structures), bytes_in(file("structures"))) << frame;
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
      const std::string of = images[i].channel.empty() ? "" : "_" + images[i].channel;
      EXPECT_EQ(bytes_of(made.voxels.images[i].counts), bytes_in(file("image" + of))) << frame;
      EXPECT_EQ(bytes_of(*made.voxels.images[i].photons), bytes_in(file("photons" + of))) << frame;
    }
  }
}

TEST_P(MakesFrames, WithTheSameCountsWhereNobodyWantsPhotons) {
  FrameMaker with{scene, {}, *blur, run.context};
  FrameMaker without{scene, {.channel = {}, .photons = false}, *blur, run.context};
  OwnedFrame a{with, true}, b{without, false};
  with.make(1, a.voxels, run.context);
  without.make(1, b.voxels, run.context);
  EXPECT_EQ(a.counts, b.counts);
}

TEST_P(MakesFrames, WithinTheMemoryThatItAsksFor) {
  std::int64_t needed = 0;
  try {
    test::TestContext none{2, 1000};
    const FrameMaker refused{scene, {}, *fftconv::make_host_executor({1000}), none.context};
    FAIL() << "1000 bytes were enough";
  } catch (const PlanError&) {
  }
  // The smallest budget that is accepted holds to the end
  for (std::int64_t bytes = 1 << 18; needed == 0; bytes += bytes / 16) try {
      test::TestContext least{2, bytes};
      const auto executor = fftconv::make_host_executor({bytes});
      FrameMaker maker{scene, {.channel = {}, .photons = false}, *executor, least.context};
      needed = bytes;
      OwnedFrame made{maker, false};
      EXPECT_NO_THROW(maker.make(0, made.voxels, least.context));
      EXPECT_LE(least.memory.peak(), bytes);
    } catch (const PlanError&) {
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, MakesFrames, testing::ValuesIn(kCases), test::kCaseName);

class FrameMakerOfOne : public testing::Test {
 protected:
  SceneSpec scene = parse_scene(std::string{kScene} + kOptics, "scene");
  test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
};

TEST_F(FrameMakerOfOne, CountsObjectsFromOneInEachFrameThatIsAlone) {
  FrameMaker together{scene, {}, *blur, run.context};
  FrameMaker alone{scene, {.channel = {}, .photons = true, .each_alone = true}, *blur, run.context};
  OwnedFrame a{together, true}, b{alone, true};
  const auto numbered = together.make(2, a.voxels, run.context);
  const auto counted = alone.make(2, b.voxels, run.context);
  EXPECT_NE(numbered.objects.find("\n5,2,nucleus,"), std::string::npos) << numbered.objects;
  EXPECT_NE(counted.objects.find("\n1,2,nucleus,"), std::string::npos) << counted.objects;
  EXPECT_EQ(a.counts, b.counts);
  for (std::size_t i = 0; i < a.labels.voxels.size(); ++i)
    ASSERT_EQ(a.labels.voxels[i], b.labels.voxels[i] == 0 ? 0 : b.labels.voxels[i] + 4);
}

TEST_F(FrameMakerOfOne, HasMoreFramesThanTheSceneWhereEachIsAlone) {
  FrameMaker alone{
      scene, {.channel = {}, .photons = false, .each_alone = true}, *blur, run.context};
  OwnedFrame far{alone, false}, other{alone, false};
  alone.make(2'000'000'000, far.voxels, run.context);
  alone.make(2'000'000'001, other.voxels, run.context);
  EXPECT_NE(far.counts, other.counts);
}

TEST_F(FrameMakerOfOne, RefusesFramesThatThereAreNotAndScenesWithoutASeed) {
  FrameMaker maker{scene, {}, *blur, run.context};
  OwnedFrame made{maker, true};
  for (const std::int64_t frame : {-1, 3})
    test::expect_failure<InvalidSpec>([&] { maker.make(frame, made.voxels, run.context); },
                                      {"there are frames from 0 to 2"});
  scene.seed.reset();
  test::expect_failure<InvalidSpec>([&] { FrameMaker(scene, {}, *blur, run.context); },
                                    {"has no seed"});
}

}  // namespace
}  // namespace synthoscope::simulator
