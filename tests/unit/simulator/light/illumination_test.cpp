// SPDX-License-Identifier: MIT
// illumination_test.cpp — an uneven field multiplies the light, wherever a box begins.
#include "simulator/light/illumination.hpp"
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "simulator/light/expected_photons.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

TEST(Illumination, IsEvenUnlessAskedForMore) {
  const Illumination even{{}, {1, 20, 30}};
  EXPECT_TRUE(even.is_even());
  EXPECT_EQ(even.at(0, 0), 1);
}

TEST(Illumination, FallsWithTheSquareOfTheDistanceFromTheMiddle) {
  const Illumination field{{.falloff = 0.4, .flat_field = {}}, {1, 301, 401}};
  EXPECT_EQ(field.at(150, 200), 1);
  const double corner = 150.5 * 150.5 + 200.5 * 200.5;
  EXPECT_NEAR(field.at(0, 0), 1 - 0.4 * (150.0 * 150 + 200.0 * 200) / corner, 1e-12);
  EXPECT_EQ(field.at(0, 0), field.at(300, 400));
  EXPECT_EQ(field.at(0, 7), field.at(300, 7));
  EXPECT_NEAR(field.at(150, 0), 1 - 0.4 * (200.0 * 200) / corner, 1e-12);
}

TEST(Illumination, MultipliesAllLightByDoseAndExposureWhereTheSceneSaysSo) {
  const IlluminationSpec per_exposure{.flat_field = {}, .dose = 2.5};
  EXPECT_EQ(per_exposure.level(0.2), 2.5);
  const IlluminationSpec per_second{
      .flat_field = {}, .dose = 2.5, .photons_per = LightUnit::second};
  EXPECT_EQ(per_second.level(0.2), 0.5);
  EXPECT_EQ(per_second.level(0.4), 2 * per_second.level(0.2));

  const Illumination field{per_second, {1, 2, 3}, per_second.level(0.2)};
  EXPECT_FALSE(field.is_even());
  ExpectedPhotons photons{10, field};
  Volume<float> blurred{{1, 2, 3}}, out{{1, 2, 3}};
  blurred.voxels = {0, 2, 4, 6, 8, -1};
  photons.apply(whole(blurred.extent), blurred.view(), out.view());
  EXPECT_EQ(out.voxels, (std::vector<float>{5, 6, 7, 8, 9, 5}));
}

class FlatField : public testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() / ("synthoscope_flat_" + std::to_string(::getpid()) + ".tif");
    map_.voxels = {1, 2, 3, 0.5f, 0.25f, 0};
    imageio::ImageSpec spec;
    spec.extent = map_.extent;
    spec.type = PixelType::float32;
    spec.overwrite = true;
    const auto file = imageio::create_image(path_, spec);
    file->write(whole(map_.extent), ConstVoxelView{HostView3<const float>{map_.view()}});
    file->close();
  }
  void TearDown() override { fs::remove(path_); }

  fs::path path_;
  Volume<float> map_{{1, 2, 3}};
};

TEST_F(FlatField, MultipliesLightAndBackgroundOfEveryPlaneWhereverABoxBegins) {
  const Illumination field{{.falloff = 0.5, .flat_field = path_}, {4, 2, 3}};
  EXPECT_FALSE(field.is_even());
  ExpectedPhotons photons{10, field};
  Volume<float> blurred{{4, 2, 3}};
  for (std::size_t i = 0; i < blurred.voxels.size(); ++i)
    blurred.voxels[i] = static_cast<float>(i) - 3;
  for (const Box3& box : {whole({4, 2, 3}), Box3{{2, 1, 1}, {2, 1, 2}}}) {
    Volume<float> part{box.size}, out{box.size};
    MemorySource{blurred.view()}.read(box, part.view());
    photons.apply(box, HostView3<const float>{part.view()}, out.view());
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x) {
          const double light = std::max(0.0, static_cast<double>(part.view()(z, y, x))) + 10;
          EXPECT_EQ(out.view()(z, y, x),
                    static_cast<float>(light * field.at(box.origin.y + y, box.origin.x + x)))
              << box;
        }
  }
  EXPECT_NEAR(field.at(0, 1), 2 * (1 - 0.5 * 1 / 13.0), 1e-12);
}

TEST_F(FlatField, OfAnotherSizeIsRefusedByItsName) {
  try {
    const Illumination refused({.falloff = 0, .flat_field = path_}, {4, 3, 3});
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.what(), "read the flat field " + path_.string() +
                                ": it is 1x2x3, the field needs one plane of 1x3x3; give a map of "
                                "that size");
  }
}

}  // namespace
}  // namespace synthoscope::simulator
