// SPDX-License-Identifier: MIT
// psf_shift_test.cpp — images that lie beside their points: shifted by whole voxels and by parts.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <string>
#include "core/base/error.hpp"
#include "imageio/create.hpp"
#include "simulator/optics/psf.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/simulator/optics/psf_oracle.hpp"

namespace synthoscope::simulator {
namespace {

constexpr VoxelSize kPitch{0.2, 0.1, 0.08};
constexpr Extent3 kSize{17, 41, 45};

struct ModelCase {
  const char* name;
  PsfModel model;
  bool integrates;
};

class PsfShift : public testing::TestWithParam<ModelCase> {
 protected:
  void SetUp() override {
    optics.model = GetParam().model;
    optics.pixel_integration = GetParam().integrates;
    optics.na = 1.1;
    optics.immersion_index = optics.sample_index = 1.33;
    optics.size = kSize;
    if (optics.model == PsfModel::file) measure();
  }
  BasicPsf<double> make(const ImageShift& shift) {
    optics.shift = shift;
    return make_psf<double>(optics, kPitch, {}, pool);
  }

  OpticsSpec optics;
  TaskPool pool{2};

 private:
  /// A Gaussian in a file, finer than the grid and not in its middle.
  void measure() {
    optics.file = folder / "psf.ome.tif";
    imageio::ImageSpec image;
    image.extent = {41, 61, 65};
    image.z_um = 0.15, image.y_um = 0.05, image.x_um = 0.06;
    const auto bell = [](std::int64_t i, double centre, double pitch_um, double sigma_um) {
      const double u = (static_cast<double>(i) - centre) * pitch_um / sigma_um;
      return std::exp(-0.5 * u * u);
    };
    const auto sink = imageio::create_image(*optics.file, image);
    for (std::int64_t z = 0; z < image.extent.z; ++z) {
      Volume<float> one{{1, image.extent.y, image.extent.x}};
      for (std::int64_t y = 0; y < image.extent.y; ++y)
        for (std::int64_t x = 0; x < image.extent.x; ++x)
          one.view()(0, y, x) =
              static_cast<float>(1000 * bell(z, 18.37, 0.15, 0.45) * bell(y, 29.61, 0.05, 0.16) *
                                 bell(x, 34.28, 0.06, 0.16));
      sink->write(plane(image.extent, z), HostView3<const float>{one.voxels.data(), one.extent});
    }
    sink->close();
  }
  test::TemporaryFolder folder;
};

TEST_P(PsfShift, ByWholeVoxelsMovesThem) {
  const auto still = make({});
  const auto moved = make({3 * kPitch.z_um, -2 * kPitch.y_um, 5 * kPitch.x_um});
  const double peak = *std::max_element(still.voxels.voxels.begin(), still.voxels.voxels.end());
  for (std::int64_t z = 3; z < kSize.z; ++z)
    for (std::int64_t y = 0; y < kSize.y - 2; ++y)
      for (std::int64_t x = 5; x < kSize.x; ++x)
        ASSERT_NEAR(moved.voxels.view()(z, y, x), still.voxels.view()(z - 3, y + 2, x - 5),
                    2e-7 * peak)
            << fmt::format("voxel {}", Index3{z, y, x});
}

TEST_P(PsfShift, MovesTheTopByItsPartsOfAVoxel) {
  // The top of a parabola through logarithms: exact for samples of a Gaussian, near that of others
  const auto top = [](const BasicPsf<double>& psf, int axis) {
    const auto light = [&](std::int64_t i) {
      const Index3 c = psf.centre;
      return std::log(psf.voxels.view()(c.z + (axis == 0 ? i : 0), c.y + (axis == 1 ? i : 0),
                                        c.x + (axis == 2 ? i : 0)));
    };
    const double below = light(-1), here = light(0), above = light(1);
    return 0.5 * (below - above) / (below - 2 * here + above);
  };
  const auto moved = make({0.3 * kPitch.z_um, -0.2 * kPitch.y_um, 0.1 * kPitch.x_um});
  const bool is_parabola = optics.model == PsfModel::gaussian && optics.pixel_integration == false;
  const double exact = is_parabola ? 1e-9 : 0.02;
  EXPECT_NEAR(top(moved, 0), 0.3, exact);
  EXPECT_NEAR(top(moved, 1), -0.2, exact);
  EXPECT_NEAR(top(moved, 2), 0.1, exact);
}

TEST_P(PsfShift, LeavesTheLightWhatItWas) {
  const auto still = make({});
  const auto moved = make({0.5 * kPitch.z_um, 0.5 * kPitch.y_um, -0.3 * kPitch.x_um});
  EXPECT_NEAR(moved.plane_energy, still.plane_energy, 1e-12);
  EXPECT_NEAR(moved.captured[8], still.captured[8], 2e-3);
}

TEST_P(PsfShift, WidensTheWindowByItsLength) {
  optics.size.reset();
  PsfSizing sizing;
  sizing.volume = Extent3{5, 4096, 4096};
  const auto still = make_psf(optics, kPitch, sizing, pool);
  optics.shift = {0, 1, -0.8};
  const auto moved = make_psf(optics, kPitch, sizing, pool);
  EXPECT_EQ(moved.voxels.extent.z, still.voxels.extent.z);
  EXPECT_NEAR(static_cast<double>(moved.voxels.extent.y),
              static_cast<double>(still.voxels.extent.y + 20), 2);
  EXPECT_NEAR(static_cast<double>(moved.voxels.extent.x),
              static_cast<double>(still.voxels.extent.x + 20), 2);
  for (std::size_t z = 0; z < moved.captured.size(); ++z)
    EXPECT_GE(moved.captured[z], std::min(still.captured[z], 0.99) - 1e-6);
}

constexpr ModelCase kModels[] = {
    {"gaussian", PsfModel::gaussian, false},
    {"gaussian_over_pixels", PsfModel::gaussian, true},
    {"born_wolf", PsfModel::born_wolf, false},
    {"gibson_lanni", PsfModel::gibson_lanni, false},
    {"gibson_lanni_over_pixels", PsfModel::gibson_lanni, true},
    {"richards_wolf", PsfModel::richards_wolf, false},
    {"confocal", PsfModel::confocal, false},
    {"light_sheet", PsfModel::light_sheet, true},
    {"file", PsfModel::file, false},
};
INSTANTIATE_TEST_SUITE_P(Models, PsfShift, testing::ValuesIn(kModels),
                         synthoscope::test::kCaseName);

TEST(PsfShiftOf, AnObjectiveEqualsAnIndependentQuadratureAroundTheMovedAxis) {
  OpticsSpec optics;
  optics.depth_um = 5;
  optics.pixel_integration = false;
  optics.normalization = PsfNormalization::none;
  optics.size = Extent3{9, 31, 31};
  optics.shift = {0.123, -0.345, 0.067};
  TaskPool pool{2};
  const auto psf = make_psf<double>(optics, kPitch, {}, pool);
  const double peak = *std::max_element(psf.voxels.voxels.begin(), psf.voxels.voxels.end());
  const synthoscope::test::GibsonLanniOracle oracle{optics};
  for (const Index3& v :
       {Index3{4, 15, 15}, Index3{5, 12, 16}, Index3{0, 3, 29}, Index3{8, 30, 0}}) {
    const double z = psf.focus_um - optics.shift.z_um + static_cast<double>(v.z - 4) * kPitch.z_um;
    const double r = std::hypot(static_cast<double>(v.y - 15) * kPitch.y_um - optics.shift.y_um,
                                static_cast<double>(v.x - 15) * kPitch.x_um - optics.shift.x_um);
    EXPECT_NEAR(psf.voxels.view()(v.z, v.y, v.x) / peak, oracle.intensity(r, z, 6000) / peak, 1e-6)
        << fmt::format("voxel {}", v);
  }
}

TEST(PsfShiftOf, AllLightOutOfTheWindowLeavesNothingToBringToOne) {
  OpticsSpec optics;
  optics.model = PsfModel::gaussian;
  optics.size = Extent3{5, 9, 9};
  optics.shift.y_um = 50;
  TaskPool pool{2};
  for (const auto wanted : {PsfNormalization::sum, PsfNormalization::peak}) {
    optics.normalization = wanted;
    synthoscope::test::expect_failure<InvalidSpec>(
        [&] { make_psf(optics, kPitch, {}, pool); },
        {"optics.normalization", "optics.size of 5x9x9", "optics.shift_nm [0, 50000, 0]"});
  }
  optics.normalization = PsfNormalization::plane;
  const auto dark = make_psf(optics, kPitch, {}, pool);
  for (const float voxel : dark.voxels.voxels) EXPECT_EQ(voxel, 0);
  EXPECT_TRUE(std::any_of(dark.warnings.begin(), dark.warnings.end(), [](const auto& said) {
    return said.find("contains only 0.0 % of the light") != std::string::npos;
  }));
}

TEST(PsfShiftOf, TheFocusOutOfTheWindowIsToldWithItsCause) {
  OpticsSpec optics;
  optics.size = Extent3{9, 33, 33};
  TaskPool pool{2};
  const auto said = [&](double shift_um, double origin_um) {
    optics.shift.z_um = shift_um;
    optics.axial_origin = {AxialOrigin::Rule::focus};
    if (origin_um != 0) optics.axial_origin = {AxialOrigin::Rule::fixed, origin_um};
    for (const auto& warning : make_psf(optics, kPitch, {}, pool).warnings)
      if (warning.find("brightest plane") != std::string::npos) return warning;
    return std::string{};
  };
  EXPECT_EQ(said(0.1, 0), "");
  EXPECT_NE(said(20, 0).find("smaller shift along z"), std::string::npos);
  EXPECT_NE(said(0, 20).find("axial origin (optics.axial_origin) to focus"), std::string::npos);
}

TEST(PsfShiftOf, MoreThanAFieldIsRefused) {
  OpticsSpec optics;
  optics.shift.x_um = 101;
  EXPECT_THROW(require_valid(optics), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
