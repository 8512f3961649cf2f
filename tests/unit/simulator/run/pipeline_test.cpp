// SPDX-License-Identifier: MIT
#include "simulator/run/pipeline.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/share/data_set_state.hpp"
#include "tests/support/table_of_objects.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

TEST_F(Pipeline, WritesEveryFileOfTheDataSetAndNothingElse) {
  const auto report = run(tiny_scene(), "set");
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{folder_ / "set"}) found.push_back(entry.path());
  auto promised = report.files;
  std::sort(promised.begin(), promised.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, promised);
  EXPECT_EQ(found.size(), 9u);
  EXPECT_EQ(entries(), std::vector<std::string>{"set"});
}

TEST_F(Pipeline, StacksHaveTheScenesGridAndTheirTypes) {
  run(tiny_scene(), "set");
  const std::pair<const char*, PixelType> kStacks[] = {{"labels.ome.tif", PixelType::uint16},
                                                       {"photons.ome.tif", PixelType::float32},
                                                       {"image.ome.tif", PixelType::uint16}};
  for (const auto& [name, type] : kStacks) {
    const auto info = imageio::inspect(folder_ / "set" / name);
    EXPECT_EQ(info.extent, (Extent3{12, 40, 44})) << name;
    EXPECT_EQ(info.type, type) << name;
    ASSERT_TRUE(info.voxel_size().has_value()) << name;
    EXPECT_EQ(*info.voxel_size(), (VoxelSize{0.4, 0.2, 0.2})) << name;
  }
  const auto psf = imageio::inspect(folder_ / "set" / "psf.ome.tif");
  EXPECT_EQ(psf.extent, (Extent3{9, 21, 21}));
  EXPECT_EQ(psf.kernel_center, (Index3{4, 10, 10}));
}

TEST_F(Pipeline, RecordsWhatTheCameraMakesOfTheStoredPhotons) {
  for (const auto& [kind, name] : kCameraKindNames)
    for (const int bin : {1, 2}) {
      auto scene = tiny_scene();
      scene.camera = typical_camera(kind);
      scene.camera.binning = bin;
      const fs::path set = folder_ / fmt::format("{}{}", name, bin);
      run(scene, {.directory = set, .plans = {}});
      const auto photons = read<float>(set / "photons.ome.tif");
      const auto image = read<std::uint16_t>(set / "image.ome.tif");
      CameraEpilogue camera{scene.camera, {.seed = 5}, photons.extent};
      Volume<std::uint16_t> detected{{12, 40 / bin, 44 / bin}};
      camera.apply(whole(photons.extent), photons.view(), VoxelView{detected.view()});
      EXPECT_EQ(image.extent, detected.extent) << set;
      EXPECT_EQ(image.voxels, detected.voxels) << set;
      EXPECT_EQ(imageio::inspect(set / "image.ome.tif").voxel_size(),
                (VoxelSize{0.4, 0.2 * bin, 0.2 * bin}))
          << set;
    }
}

TEST_F(Pipeline, ASetIsAsGoodWhereverAndInWhichPiecesItWasBlurredUnlessOneIsDemanded) {
  run(tiny_scene(), "set");
  Json record = parse_json(bytes_of(folder_ / "set/scene.json"));
  record["blur"]["where"] = "GPU";
  record["blur"]["strategy"] = "tiles";
  record["blur"]["transform"] = {1, 2, 3};
  std::ofstream{folder_ / "set/scene.json"} << record.dump();
  test::TestContext test;
  SceneInputs inputs{test.stop};
  SimulateOptions options{.directory = folder_ / "set", .plans = {}};
  const auto plans = plan_simulation(tiny_scene(), {test.memory.limit()}, test.context, options);
  const auto difference = [&] {
    return data_set_state_of(tiny_scene(), options, plans, inputs, test.pool).difference;
  };
  EXPECT_EQ(difference(), "blur.where was \"GPU\" and is \"host\" now");
  options.any_place = true;
  EXPECT_EQ(data_set_state_of(tiny_scene(), options, plans, inputs, test.pool).kind,
            DataSetState::Kind::finished);
  options.strategy = fftconv::Strategy::in_core;
  EXPECT_EQ(difference(), "blur.strategy was \"tiles\" and is \"in-core\" now");
  options.strategy = fftconv::Strategy::automatic;
  options.plans = plans;
  EXPECT_NE(difference(), "");
}

TEST_F(Pipeline, RefusesAFieldThatTheBinningDoesNotDivideBeforeItWrites) {
  auto scene = tiny_scene();
  scene.camera.binning = 3;
  EXPECT_THROW(run(scene, "set"), InvalidSpec);
  EXPECT_EQ(entries(), std::vector<std::string>{});
}

TEST_F(Pipeline, PhotonsAreTheDirectSumOfPhantomAndPsf) {
  auto scene = tiny_scene();
  run(scene, "set");
  const auto photons = read<float>(folder_ / "set/photons.ome.tif");
  const auto psf = read<float>(folder_ / "set/psf.ome.tif");
  test::TestContext context;
  const auto phantom = make_phantom(phantom_of(scene), scene.grid, 5, context.context);
  PhantomSource source{phantom};
  const auto light = read_all<double>(source);
  double peak = 0, worst = 0;
  for (std::int64_t z = 0; z < 12; z += 3)
    for (std::int64_t y = 1; y < 40; y += 6)
      for (std::int64_t x = 0; x < 44; x += 7) {
        double sum = scene.background_photons;
        for (std::int64_t k = 0; k < 9; ++k)
          for (std::int64_t j = 0; j < 21; ++j)
            for (std::int64_t i = 0; i < 21; ++i) {
              const Index3 from{z + 4 - k, y + 10 - j, x + 10 - i};
              if (!contains(light.extent, {from, {1, 1, 1}})) continue;
              sum +=
                  light.view()(from.z, from.y, from.x) * static_cast<double>(psf.view()(k, j, i));
            }
        peak = std::max(peak, sum);
        worst = std::max(worst, std::abs(sum - static_cast<double>(photons.view()(z, y, x))));
      }
  EXPECT_GT(peak, 10 * scene.background_photons);
  EXPECT_LE(worst, 1e-6 * peak);
}

TEST_F(Pipeline, ObjectsAgreeWithTheMaskAndWithGeometry) {
  const auto scene = tiny_scene();
  const auto report = run(scene, "set");
  const auto labels = read<std::uint16_t>(folder_ / "set/labels.ome.tif");
  std::map<std::uint16_t, std::int64_t> counted;
  for (const auto label : labels.voxels) ++counted[label];
  std::istringstream csv{bytes_of(folder_ / "set/objects.csv")};
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line,
            "id,frame,class,centroid_z_um,centroid_y_um,centroid_x_um,volume_um3,voxels,"
            "counted_centroid_z_um,counted_centroid_y_um,counted_centroid_x_um,counted_volume_um3,"
            "parent,file_label,touches_border,brightness,nearest_um,phase,snr");
  std::uint16_t id = 0;
  for (; std::getline(csv, line);) {
    ++id;
    std::vector<std::string> cells;
    std::istringstream row{line};
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 19u) << line;
    EXPECT_TRUE(cells[14] == "0" || cells[14] == "1") << line;
    EXPECT_EQ(cells[0], std::to_string(id));
    EXPECT_EQ(cells[2], "nucleus");
    EXPECT_EQ(cells[7], std::to_string(counted[id]));
    // 0.016 um^3 voxels and bodies of about 9 um^3: a mask is good to a few per cent
    EXPECT_NEAR(std::stod(cells[11]) / std::stod(cells[6]), 1, 0.03);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(std::stod(cells[8 + axis]), std::stod(cells[3 + axis]), 0.05);
  }
  EXPECT_EQ(id, report.objects);
}

TEST_F(Pipeline, EqualRequestsGiveEqualBytesWhateverTheThreads) {
  const auto one = run(tiny_scene(), "one", 1);
  run(tiny_scene(), "three", 3);
  for (const auto& file : one.files)
    EXPECT_EQ(bytes_of(file), bytes_of(folder_ / "three" / file.filename())) << file.filename();
}

TEST_F(Pipeline, ADrawnSeedIsToldAndRecordedAndGivesTheSameDataAgain) {
  auto scene = tiny_scene();
  scene.seed.reset();
  test::TestContext context;
  const auto executor = fftconv::make_host_executor({context.memory.limit()});
  const auto report =
      simulate(scene, {.directory = folder_ / "drawn", .plans = {}}, *executor, context.context);
  ASSERT_EQ(context.log.notes.size(), 1u);
  EXPECT_EQ(context.log.notes[0], "drew seed " + std::to_string(report.seed));
  const auto record = parse_json(bytes_of(folder_ / "drawn/scene.json"));
  EXPECT_EQ(record.at("scene").at("seed"), report.seed);
  scene.seed = report.seed;
  run(scene, "again");
  EXPECT_EQ(bytes_of(folder_ / "drawn/image.ome.tif"), bytes_of(folder_ / "again/image.ome.tif"));
}

TEST_F(Pipeline, OtherSeedsGiveOtherData) {
  run(tiny_scene(), "a");
  auto scene = tiny_scene();
  scene.seed = 6;
  run(scene, "b");
  EXPECT_NE(bytes_of(folder_ / "a/labels.ome.tif"), bytes_of(folder_ / "b/labels.ome.tif"));
}

/// Asks for a stop when a stage begins.
class StopAt final : public Progress {
 public:
  StopAt(StopFlag& stop, std::string stage) : stop_{stop}, stage_{std::move(stage)} {}
  void begin(std::string_view stage, std::int64_t) override {
    stages.emplace_back(stage);
    if (stage == stage_) stop_.request();
  }
  void advance(std::int64_t) override {}
  std::vector<std::string> stages;

 private:
  StopFlag& stop_;
  std::string stage_;
};

TEST_F(Pipeline, LeavesNothingWhenStoppedAtAnyStage) {
  const auto run_until = [&](const std::string& stage) {
    test::TestContext context;
    StopAt progress{context.stop, stage};
    const RunContext watched{context.pool, context.memory, progress, context.log, context.stop};
    const auto executor = fftconv::make_host_executor({context.memory.limit()});
    try {
      simulate(tiny_scene(), {.directory = folder_ / "set", .plans = {}}, *executor, watched);
    } catch (const Interrupted&) {
      EXPECT_TRUE(context.stop.requested());
    }
    return progress.stages;
  };
  const auto stages = run_until("none");
  EXPECT_EQ(entries(), std::vector<std::string>{"set"});
  fs::remove_all(folder_ / "set");
  EXPECT_GE(stages.size(), 4u);
  for (const auto& stage : stages) {
    run_until(stage);
    EXPECT_TRUE(entries().empty()) << stage;
    fs::remove_all(folder_ / "set");
  }
}

TEST_F(Pipeline, ReplacesAnOlderDataSetOnlyWhenToldTo) {
  run(tiny_scene(), "set");
  const auto before = bytes_of(folder_ / "set/image.ome.tif");
  auto other = tiny_scene();
  other.seed = 9;
  EXPECT_THROW(run(other, "set"), InvalidSpec);
  EXPECT_EQ(bytes_of(folder_ / "set/image.ome.tif"), before);
  run(other, {.directory = folder_ / "set", .overwrite = true, .plans = {}});
  EXPECT_NE(bytes_of(folder_ / "set/image.ome.tif"), before);
  EXPECT_EQ(entries(), std::vector<std::string>{"set"});
}

TEST_F(Pipeline, WarnsWhenPhantomAndPsfAreBothAveragedOverThePixel) {
  auto scene = tiny_scene();
  scene.optics.pixel_integration = true;
  test::TestContext context;
  const auto executor = fftconv::make_host_executor({context.memory.limit()});
  simulate(scene, {.directory = folder_ / "set", .plans = {}}, *executor, context.context);
  ASSERT_FALSE(context.log.warnings.empty());
  EXPECT_NE(context.log.warnings[0].find("one pixel too wide"), std::string::npos);
}

TEST_F(Pipeline, OversamplingKeepsTruthAndGridAndTellsTheSameLight) {
  auto scene = tiny_scene();
  scene.optics.size = Extent3{9, 63, 63};
  const auto plain = run(scene, "plain");
  scene.oversample = 3;
  scene.optics.size = Extent3{9, 189, 189};  // as wide
  const auto fine = run(scene, "fine");
  EXPECT_EQ(read<std::uint16_t>(folder_ / "plain/labels.ome.tif").voxels,
            read<std::uint16_t>(folder_ / "fine/labels.ome.tif").voxels);
  EXPECT_EQ(synthoscope::test::without_snr(bytes_of(folder_ / "plain/objects.csv")),
            synthoscope::test::without_snr(bytes_of(folder_ / "fine/objects.csv")));
  EXPECT_EQ(imageio::inspect(folder_ / "fine/psf.ome.tif").voxel_size(),
            (VoxelSize{0.4, 0.2 / 3, 0.2 / 3}));
  for (const char* stack : {"photons.ome.tif", "image.ome.tif"})
    EXPECT_EQ(imageio::inspect(folder_ / "fine" / stack).voxel_size(), (VoxelSize{0.4, 0.2, 0.2}));
  const auto a = read<float>(folder_ / "plain/photons.ome.tif");
  const auto b = read<float>(folder_ / "fine/photons.ome.tif");
  const float peak = *std::max_element(a.voxels.begin(), a.voxels.end());
  for (std::size_t i = 0; i < a.voxels.size(); ++i)
    ASSERT_NEAR(a.voxels[i], b.voxels[i], 0.05f * peak);
  // Light that leaves the phantom is the same but for how voxels at surfaces are averaged
  ASSERT_TRUE(plain.images[0].energy && fine.images[0].energy);
  EXPECT_NEAR(fine.images[0].energy->emitted / plain.images[0].energy->emitted, 1, 5e-3);
  EXPECT_NEAR(fine.images[0].energy->image / plain.images[0].energy->image, 1, 5e-3);
}

TEST_F(Pipeline, AddsUpTheLightOfAllFrames) {
  auto scene = tiny_scene();
  scene.frames = 2;
  const auto report = run(scene, "frames");
  ASSERT_TRUE(report.images[0].energy);
  double image = 0;
  for (const char* name : {"frames/photons_t000.ome.tif", "frames/photons_t001.ome.tif"}) {
    const auto photons = read<float>(folder_ / name);
    for (const float v : photons.voxels) image += static_cast<double>(v) - scene.background_photons;
  }
  EXPECT_NEAR(report.images[0].energy->image / image, 1, 1e-4);
}

TEST_F(Pipeline, LeavesNothingWhenNucleiDoNotFit) {
  auto scene = tiny_scene();
  scene.nuclei.count = 1000;
  EXPECT_THROW(run(scene, "set"), InvalidSpec);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Pipeline, RunsAGivenPlanAndRefusesOneForAnotherScene) {
  test::TestContext context;
  const auto executor = fftconv::make_host_executor({context.memory.limit()});
  const auto plans = plan_simulation(tiny_scene(), executor->machine(), context.context);
  const auto report = run(tiny_scene(), {.directory = folder_ / "set", .plans = plans});
  EXPECT_EQ(report.images[0].plan, plans[0]);
  auto larger = tiny_scene();
  larger.grid.extent.x = 50;
  EXPECT_THROW(run(larger, {.directory = folder_ / "other", .plans = plans}), InvalidSpec);
  EXPECT_EQ(entries(), std::vector<std::string>{"set"});
}

TEST_F(Pipeline, CompressedStacksHoldTheSameVoxels) {
  run(tiny_scene(), "plain");
  run(tiny_scene(),
      {.directory = folder_ / "packed", .flavor = imageio::TiffFlavor::imagej, .plans = {}});
  run(tiny_scene(), {.directory = folder_ / "deflated",
                     .compression = imageio::Compression::deflate,
                     .plans = {}});
  const auto expected = read<std::uint16_t>(folder_ / "plain/image.ome.tif");
  EXPECT_EQ(read<std::uint16_t>(folder_ / "packed/image.tif").voxels, expected.voxels);
  EXPECT_EQ(read<std::uint16_t>(folder_ / "deflated/image.ome.tif").voxels, expected.voxels);
}

}  // namespace
}  // namespace synthoscope::simulator
