// SPDX-License-Identifier: MIT
// A simulation on a device: counts are what the camera records of the photons that are stored, and
// labels, tables and reports are those of the host.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include "core/stream/carry.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "imageio/open.hpp"
#include "multigpu/make_executor.hpp"
#include "simulator/base/carry_on_device.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/camera_case.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/table_of_objects.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;
using fftconv::Strategy;

constexpr const char* kScene =
    "[grid]\nsize = [12, 41, 45]\npitch_nm = [400, 200, 200]\n"
    "[nuclei]\ncount = 3\nradius_um = 1.3\ngap_um = 0.1\nphotons_per_um3 = 3000\n"
    "[beads]\ncount = 4\ndiameter_um = 0.6\n"
    "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [9, 21, 21]\n";

struct SetCase {
  const char* name;
  Strategy strategy;
  const char* first = "";  ///< of the scene's own keys
  const char* last = "";   ///< of its optics, and what follows
  imageio::Compression compression = imageio::Compression::none;
};

// clang-format off
const SetCase kSets[] = {
    {"in_core",            Strategy::in_core},
    {"ring_of_two_frames", Strategy::ring,    "frames = 2\n"},
    {"tiles",              Strategy::tiles},
    {"compressed",         Strategy::in_core, "", "", imageio::Compression::deflate},
    {"uneven_light_ccd",   Strategy::ring,    "",
     "[illumination]\nfalloff = 0.4\n[camera]\nkind = \"ccd\"\nbit_depth = 8\n"},
    {"emccd",              Strategy::in_core, "", "[camera]\nkind = \"emccd\"\n"},
    {"finer_blur",         Strategy::in_core, "", "oversample = 3\n"},
    {"two_beams",          Strategy::tiles,   "frames = 2\n",
     "[pattern]\nkind = \"two-beam\"\nperiod_nm = 900\n"},
    {"three_beams",        Strategy::in_core, "",
     "oversample = 3\n[pattern]\nkind = \"three-beam\"\nperiod_nm = 700\n"},
    {"depth_varying",      Strategy::in_core, "",
     "sample_index = 1.5\ndepth_um = 9\ndepth_varying = true\nreference_error = 0.05\n"},
    {"depths_in_tiles",    Strategy::tiles,   "",
     "sample_index = 1.5\ndepth_um = 9\ndepth_varying = true\nreference_error = 0.05\n"},
    {"sheet_that_widens",  Strategy::in_core, "frames = 2\n",
     "model = \"light-sheet\"\nsheet_waist_um = 1\nsheet_along = \"y\"\n"},
};
// clang-format on

template <class T>
std::vector<T> voxels_of(const fs::path& path) {
  const auto image = imageio::open_image(path);
  Volume<T> voxels{image.info.extent};
  image.source->read(whole(image.info.extent), VoxelView{voxels.view()});
  return voxels.voxels;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

class DeviceSets : public cuda::GpuTest, public testing::WithParamInterface<SetCase> {
 protected:
  [[nodiscard]] static SceneSpec scene() {
    const std::string text =
        std::string{"seed = 5\n"} + GetParam().first + kScene + GetParam().last;
    return parse_scene(text, "scene");
  }
  fftconv::Machine machine(bool with_gpu, std::int64_t device_bytes) const {
    fftconv::Machine machine{std::int64_t{1} << 30};
    if (with_gpu) {
      machine.gpu = fftconv::Gpu{info.name, info.capability, fftconv::device::block_limits(info),
                                 device_bytes};
      machine.gpu_only = true;
    }
    return machine;
  }
  SimulationReport simulate_on(bool with_gpu, const fs::path& folder,
                               std::int64_t device_bytes = std::int64_t{1} << 30) {
    synthoscope::test::TestContext test;
    SimulateOptions options;
    options.directory = folder;
    options.strategy = GetParam().strategy;
    options.compression = GetParam().compression;
    options.device = info;
    const auto executor = multigpu::make_executor(machine(with_gpu, device_bytes), {info});
    return simulate(scene(), options, *executor, test.context);
  }

  synthoscope::test::TemporaryFolder folder_;
};

TEST_P(DeviceSets, AreThoseOfTheHost) {
  const auto by_host = simulate_on(false, folder_ / "host");
  const auto by_device = simulate_on(true, folder_ / "device");
  ASSERT_EQ(by_device.images[0].plan.where, fftconv::Place::gpu);
  EXPECT_GT(by_device.images[0].blur.peak_device_bytes, 0);
  EXPECT_LE(by_device.images[0].blur.peak_device_bytes, by_device.images[0].plan.device_bytes());
  EXPECT_EQ(by_host.images[0].camera.voxels, by_device.images[0].camera.voxels);
  ASSERT_TRUE(by_device.images[0].energy && by_host.images[0].energy);
  EXPECT_NEAR(by_host.images[0].energy->emitted, by_device.images[0].energy->emitted,
              1e-9 * by_host.images[0].energy->emitted);
  EXPECT_NEAR(by_host.images[0].energy->image, by_device.images[0].energy->image,
              1e-5 * by_host.images[0].energy->image);
  using synthoscope::test::without_snr;  // of photons that may differ in their last bits
  EXPECT_EQ(without_snr(bytes_of(folder_ / "host/objects.csv")),
            without_snr(bytes_of(folder_ / "device/objects.csv")));

  const SceneSpec spec = scene();
  CameraEpilogue camera{spec.camera, {.seed = 5}, spec.grid.extent};
  for (std::int64_t frame = 0; frame < spec.frames; ++frame) {
    const std::string end =
        spec.frames == 1 ? ".ome.tif" : "_t00" + std::to_string(frame) + ".ome.tif";
    EXPECT_EQ(bytes_of(folder_ / ("host/labels" + end)),
              bytes_of(folder_ / ("device/labels" + end)));
    auto photons = voxels_of<float>(folder_ / ("device/photons" + end));
    const HostView3<const float> stored{photons.data(), spec.grid.extent};
    CameraEpilogue exposed{camera, frame};
    const StreamFormat format = camera.format(spec.grid.extent);
    const auto expect_counts = [&](auto zero) {
      Volume<decltype(zero)> counts{format.extent};
      exposed.apply(whole(spec.grid.extent), stored, VoxelView{counts.view()});
      EXPECT_TRUE(counts.voxels == voxels_of<decltype(zero)>(folder_ / ("device/image" + end)));
    };
    if (format.type == PixelType::uint8)
      expect_counts(std::uint8_t{});
    else
      expect_counts(std::uint16_t{});
    camera.add(exposed.report());
  }
  EXPECT_EQ(camera.report(), by_device.images[0].camera);
}

TEST_P(DeviceSets, FitTheSmallestMemoryThatIsNamed) {
  const std::int64_t named = synthoscope::test::size_behind(
      "--gpu-memory ", [&] { simulate_on(true, folder_ / "set", 1); });
  EXPECT_TRUE(folder_.names().empty());
  const auto report = simulate_on(true, folder_ / "set", named);
  EXPECT_LE(report.images[0].blur.peak_device_bytes, named);
  EXPECT_GE(
      report.images[0].blur.peak_device_bytes,
      synthoscope::test::less_than_named(named) - report.images[0].plan.problem.gpu_stream_bytes);
}

INSTANTIATE_TEST_SUITE_P(Sets, DeviceSets, testing::ValuesIn(kSets), synthoscope::test::kCaseName);

class DeviceRecording : public cuda::GpuTest,
                        public testing::WithParamInterface<test::CameraCase> {};

/// Plane by plane, as `detect` does.
TEST_P(DeviceRecording, GivesTheCountsOfTheHost) {
  const test::CameraCase& c = GetParam();
  const Extent3 extent = test::kCameraVolume;
  synthoscope::test::TestContext test;
  CameraEpilogue on_host{c.spec(), test::kCameraKey, extent},
      on_device{c.spec(), test::kCameraKey, extent};
  Volume<std::uint16_t> photons{extent};  // that are read as they are stored
  for (std::size_t i = 0; i < photons.voxels.size(); ++i)
    photons.voxels[i] = static_cast<std::uint16_t>(i * 2654435761U % 997);
  MemorySource source{photons.view()};
  const StreamFormat format = on_host.format(extent);
  const std::size_t bytes = static_cast<std::size_t>(volume(format.extent) * size_of(format.type));
  std::vector<std::byte> host_counts(bytes), device_counts(bytes);
  MemorySink host_sink{VoxelView{host_counts.data(), format.type, format.extent}},
      device_sink{VoxelView{device_counts.data(), format.type, format.extent}};
  carry("camera", source, on_host, host_sink, test.context);
  device::carry_on_device("camera", source, on_device, device_sink, {info, memory}, test.context);
  EXPECT_EQ(host_counts, device_counts);
  EXPECT_EQ(on_host.report(), on_device.report());
}

INSTANTIATE_TEST_SUITE_P(Cameras, DeviceRecording, testing::ValuesIn(test::kCameraCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
