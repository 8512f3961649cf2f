// SPDX-License-Identifier: MIT
// camera_maps_test.cpp — pixel maps drawn from a seed, or read from files, and what is refused.
#include "simulator/detector/camera_maps.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

/// A float32 TIFF that is gone when the test is over.
class TemporaryMap {
 public:
  TemporaryMap(const Extent3& extent, std::vector<float> values)
      : path_{std::filesystem::path{testing::TempDir()} /
              fmt::format("{}_{}.tif",
                          testing::UnitTest::GetInstance()->current_test_info()->line(),
                          ::getpid())} {
    Volume<float> image{extent};
    image.voxels = std::move(values);
    imageio::ImageSpec spec;
    spec.extent = extent;
    spec.flavor = imageio::TiffFlavor::plain;
    spec.overwrite = true;
    const auto sink = imageio::create_image(path_, spec);
    for (std::int64_t z = 0; z < extent.z; ++z)
      sink->write(plane(extent, z),
                  HostView3<const float>{image.view().row(z, 0), {1, extent.y, extent.x}});
    sink->close();
  }
  ~TemporaryMap() { std::filesystem::remove(path_); }
  TemporaryMap(const TemporaryMap&) = delete;
  TemporaryMap& operator=(const TemporaryMap&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

double mean_of(const std::vector<float>& map) {
  return std::accumulate(map.begin(), map.end(), 0.0) / static_cast<double>(map.size());
}

double deviation_of(const std::vector<float>& map) {
  const double mean = mean_of(map);
  double squares = 0;
  for (const float v : map) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(map.size()));
}

TEST(DrawnCameraMaps, HaveTheMeanAndSpreadOfTheCamera) {
  const CameraSpec spec;
  const CameraMaps maps = make_camera_maps(spec, 8, 300, 200);
  ASSERT_EQ(maps.offset_dn.size(), 60000u);
  // Five standard errors of 60000 draws: 5 / sqrt(60000) of a deviation, 5 / sqrt(120000) of one
  const double tolerance = 0.0205;
  EXPECT_NEAR(mean_of(maps.offset_dn), 100, 2 * tolerance);
  EXPECT_NEAR(deviation_of(maps.offset_dn), 2, 2 * tolerance);
  EXPECT_NEAR(mean_of(maps.gain_dn_per_electron), 2, 0.02 * tolerance);
  EXPECT_NEAR(deviation_of(maps.gain_dn_per_electron), 0.02, 0.02 * tolerance);
  EXPECT_NEAR(mean_of(maps.read_noise_electrons), 1.2, 0.24 * tolerance);
  EXPECT_NEAR(deviation_of(maps.read_noise_electrons), 0.24, 0.24 * tolerance);
}

TEST(DrawnCameraMaps, NeverFallBelowZero) {
  CameraSpec spec;
  spec.read_noise_spread = 1;
  const CameraMaps maps = make_camera_maps(spec, 8, 100, 100);
  EXPECT_EQ(*std::min_element(maps.read_noise_electrons.begin(), maps.read_noise_electrons.end()),
            0);
}

TEST(DrawnCameraMaps, AreFlatWithoutSpread) {
  CameraSpec spec;
  spec.gain_spread = 0;
  for (const float gain : make_camera_maps(spec, 8, 3, 3).gain_dn_per_electron) EXPECT_EQ(gain, 2);
}

TEST(DrawnCameraMaps, HaveHotAndDeadPixelsOfTheirShareAndCurrent) {
  CameraSpec spec;
  spec.gain_spread = 0;
  spec.dark_current_electrons_per_second = 1;
  spec.hot_pixels = 0.1;
  spec.hot_dark_current_electrons_per_second = 50;
  spec.dead_pixels = 0.02;
  const CameraMaps maps = make_camera_maps(spec, 8, 300, 400);
  const double pixels = 120000;
  double hot = 0, current = 0, squares = 0;
  for (const float value : maps.dark_current) {
    EXPECT_GE(value, 1);
    hot += value > 1;
    current += value - 1;
    squares += (value - 1) * (value - 1);
  }
  // Five standard errors of binomial shares, and of the mean and square of exponential currents
  EXPECT_NEAR(hot / pixels, 0.1, 5 * std::sqrt(0.1 * 0.9 / pixels));
  EXPECT_NEAR(current / hot / 50, 1, 5 / std::sqrt(hot));
  EXPECT_NEAR(squares / hot / (2 * 50 * 50), 1, 5 * std::sqrt(5 / hot));
  const auto dead = static_cast<double>(
      std::count(maps.gain_dn_per_electron.begin(), maps.gain_dn_per_electron.end(), 0.0F));
  EXPECT_NEAR(dead / pixels, 0.02, 5 * std::sqrt(0.02 * 0.98 / pixels));
}

TEST(DrawnCameraMaps, ShareWhatAColumnOrARowHasInCommon) {
  CameraSpec spec;
  spec.offset_spread_dn = spec.gain_spread = 0;
  spec.column_offset_spread_dn = 3;
  spec.row_offset_spread_dn = 4;
  spec.column_gain_spread = 0.05;
  const CameraMaps maps = make_camera_maps(spec, 8, 500, 600);
  const auto at = [](const std::vector<float>& map, std::size_t y, std::size_t x) {
    return static_cast<double>(map[y * 600 + x]);
  };
  for (const std::size_t y : {1U, 77U, 499U})
    for (const std::size_t x : {5U, 300U, 599U}) {
      EXPECT_EQ(at(maps.gain_dn_per_electron, y, x), at(maps.gain_dn_per_electron, 0, x));
      EXPECT_NEAR(at(maps.offset_dn, y, x) - at(maps.offset_dn, y, 0),
                  at(maps.offset_dn, 0, x) - at(maps.offset_dn, 0, 0), 1e-4);
    }
  // Of 500 rows and 600 columns: five standard errors
  EXPECT_NEAR(deviation_of(maps.offset_dn) / 5, 1, 5 / std::sqrt(2 * 550.0));
  EXPECT_NEAR(deviation_of(maps.gain_dn_per_electron) / (2 * 0.05), 1, 5 / std::sqrt(2 * 600.0));
}

TEST(DrawnCameraMaps, OfDarkCurrentAreThoseOfTheSensorWhateverIsBinned) {
  CameraSpec spec = typical_camera(CameraKind::ccd);
  spec.dark_current_spread = 0.5;
  const CameraMaps single = make_camera_maps(spec, 8, 12, 18);
  spec.binning = 3;
  const CameraMaps binned = make_camera_maps(spec, 8, 12, 18);
  EXPECT_EQ(binned.offset_dn.size(), 24U);
  EXPECT_EQ(binned.dark_current.size(), 216U);
  EXPECT_EQ(binned.dark_current, single.dark_current);
  EXPECT_EQ(binned.values(), 3 * 24 + 216);
  EXPECT_TRUE(make_camera_maps(CameraSpec{}, 8, 4, 4).dark_current.empty());
}

TEST(CameraMapFile, ReplacesTheValueAndItsSpread) {
  const TemporaryMap file{{1, 2, 3}, {90, 91, 92, 93, 94, 95.5}};
  CameraSpec spec;
  spec.offset_map = file.path();
  const CameraMaps maps = make_camera_maps(spec, 8, 2, 3);
  EXPECT_EQ(maps.offset_dn, (std::vector<float>{90, 91, 92, 93, 94, 95.5}));
  EXPECT_EQ(maps.gain_dn_per_electron,
            make_camera_maps(CameraSpec{}, 8, 2, 3).gain_dn_per_electron);
}

struct BadMapCase {
  const char* name;
  Extent3 extent;
  std::vector<float> values;
  const char* found;
};
const BadMapCase kBadMaps[] = {
    {"another_size", {1, 2, 2}, {1, 1, 1, 1}, "it is 1x2x2, the field needs one plane of 1x1x3"},
    {"several_planes", {2, 1, 3}, {1, 1, 1, 1, 1, 1}, "it is 2x1x3, the field needs one plane"},
    {"negative", {1, 1, 3}, {1, 1, -2}, "pixel (0, 2) is -2, each must be a finite number"},
    {"nan", {1, 1, 3}, {1, NAN, 1}, "pixel (0, 1) is nan, each must be a finite number"},
};

class CameraMapRefusal : public testing::TestWithParam<BadMapCase> {};

TEST_P(CameraMapRefusal, NamesTheFileAndWhatIsWrong) {
  const TemporaryMap file{GetParam().extent, GetParam().values};
  CameraSpec spec;
  spec.gain_map = file.path();
  try {
    make_camera_maps(spec, 8, 1, 3);
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(fmt::format("read the camera's gain map {}: ", file.path().string())),
              0u)
        << message;
    EXPECT_NE(message.find(GetParam().found), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Maps, CameraMapRefusal, testing::ValuesIn(kBadMaps), test::kCaseName);

TEST(CameraMapFile, ThatIsMissingIsAnIoError) {
  CameraSpec spec;
  spec.read_noise_map = "no_such_map.tif";
  EXPECT_THROW(make_camera_maps(spec, 8, 2, 2), IoError);
}

}  // namespace
}  // namespace synthoscope::simulator
