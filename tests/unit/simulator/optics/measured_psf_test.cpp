// SPDX-License-Identifier: MIT
// measured_psf_test.cpp — a PSF from a file: its background, its middle, its voxels.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include "imageio/create.hpp"
#include "simulator/optics/measured_file.hpp"
#include "simulator/optics/psf.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::simulator {
namespace {

constexpr VoxelSize kFilePitch{0.15, 0.05, 0.06}, kPitch{0.25, 0.09, 0.08};
constexpr VoxelPosition kCentre{18.37, 29.61, 34.28};  // in voxels of the file
constexpr double kAxialUm = 0.45, kLateralUm = 0.16, kBackground = 120;

/// What the file shows, relative to its top.
double bell(double z_um, double y_um, double x_um) {
  return std::exp(-0.5 * (z_um * z_um / (kAxialUm * kAxialUm) +
                          (y_um * y_um + x_um * x_um) / (kLateralUm * kLateralUm)));
}

class MeasuredPsf : public testing::Test {
 protected:
  void SetUp() override {
    spec.model = PsfModel::file;
    spec.file = folder / "psf.ome.tif";
    spec.file_background.kind = fftconv::BackgroundRule::Kind::automatic;
    Volume<float> voxels{{41, 61, 65}};
    for (std::int64_t z = 0; z < 41; ++z)
      for (std::int64_t y = 0; y < 61; ++y)
        for (std::int64_t x = 0; x < 65; ++x)
          voxels.view()(z, y, x) = static_cast<float>(
              kBackground + 5000 * bell((static_cast<double>(z) - kCentre.z) * kFilePitch.z_um,
                                        (static_cast<double>(y) - kCentre.y) * kFilePitch.y_um,
                                        (static_cast<double>(x) - kCentre.x) * kFilePitch.x_um));
    write("psf.ome.tif", voxels, true);
    write("no_pitch.tif", voxels, false);
    voxels.voxels[777] = NAN;
    write("nan.tif", voxels, true);
    std::fill(voxels.voxels.begin(), voxels.voxels.end(), 3.0f);
    write("flat.tif", voxels, true);
  }
  void write(const char* name, const Volume<float>& voxels, bool knows_pitch) const {
    imageio::ImageSpec image;
    image.extent = voxels.extent;
    if (knows_pitch)
      std::tie(image.z_um, image.y_um, image.x_um) =
          std::tie(kFilePitch.z_um, kFilePitch.y_um, kFilePitch.x_um);
    else
      image.flavor = imageio::TiffFlavor::plain;
    const auto sink = imageio::create_image(folder / name, image);
    for (std::int64_t z = 0; z < voxels.extent.z; ++z) {
      const Extent3 one{1, voxels.extent.y, voxels.extent.x};
      sink->write(plane(voxels.extent, z), HostView3<const float>{voxels.view().row(z, 0), one});
    }
    sink->close();
  }
  BasicPsf<double> make(const VoxelSize& pitch = kPitch, const PsfSizing& sizing = {}) {
    return make_psf<double>(spec, pitch, sizing, pool);
  }
  static double sum_of_plane(const BasicPsf<double>& psf, std::int64_t z) {
    const double* const row = psf.voxels.view().row(z, 0);
    return std::accumulate(row, row + psf.voxels.extent.y * psf.voxels.extent.x, 0.0);
  }

  test::TemporaryFolder folder;
  OpticsSpec spec;
  TaskPool pool{2};
};

TEST_F(MeasuredPsf, IsWhatTheFileShowsWithItsTopInTheMiddleOnTheGridsPitch) {
  const auto psf = make();
  EXPECT_TRUE(psf.warnings.empty()) << psf.warnings.front();
  const Extent3 e = psf.voxels.extent;
  EXPECT_EQ(psf.centre, (Index3{e.z / 2, e.y / 2, e.x / 2}));
  // The window holds the whole file around its new middle
  EXPECT_GE(static_cast<double>(e.z) / 2 * kPitch.z_um, (41 - kCentre.z) * kFilePitch.z_um - 0.2);
  EXPECT_NEAR(sum_of_plane(psf, psf.centre.z), 1, 1e-9);
  const double area = kPitch.y_um * kPitch.x_um / (2 * 3.14159265358979 * kLateralUm * kLateralUm);
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        ASSERT_NEAR(psf.voxels.view()(z, y, x) / area,
                    bell(static_cast<double>(z - psf.centre.z) * kPitch.z_um,
                         static_cast<double>(y - psf.centre.y) * kPitch.y_um,
                         static_cast<double>(x - psf.centre.x) * kPitch.x_um),
                    2e-3)
            << fmt::format("voxel {}", Index3{z, y, x});
  ASSERT_EQ(psf.notes.size(), 1u);
  EXPECT_NE(psf.notes[0].find("subtracted a background of 120"), std::string::npos) << psf.notes[0];
  EXPECT_NE(psf.notes[0].find("voxel (18.37, 29.61, 34.28) of"), std::string::npos) << psf.notes[0];
}

struct CentreCase {
  const char* name;
  FileCenter rule;
  VoxelPosition expected;
  double tolerance;
};
const CentreCase kCentres[] = {
    {"peak", FileCenter::peak, kCentre, 1e-3},
    {"centroid", FileCenter::centroid, kCentre, 0.02},
    {"middle", FileCenter::middle, {20, 30, 32}, 0},
};

class CentreOf : public MeasuredPsf, public testing::WithParamInterface<CentreCase> {};

TEST_P(CentreOf, LightIsFoundToAPartOfAVoxel) {
  spec.file_center = GetParam().rule;
  const MeasuredFile file = open_measured(spec, StopFlag{});
  EXPECT_NEAR(file.centre.z, GetParam().expected.z, GetParam().tolerance);
  EXPECT_NEAR(file.centre.y, GetParam().expected.y, GetParam().tolerance);
  EXPECT_NEAR(file.centre.x, GetParam().expected.x, GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(Rules, CentreOf, testing::ValuesIn(kCentres), test::kCaseName);

TEST_F(MeasuredPsf, WarnsOfABackgroundThatBlursByABox) {
  spec.file_background = {};
  const auto psf = make();
  ASSERT_FALSE(psf.warnings.empty());
  EXPECT_NE(psf.warnings[0].find("contains"), std::string::npos) << psf.warnings[0];
  EXPECT_NE(psf.warnings[0].find("optics.file_background = \"auto\""), std::string::npos)
      << psf.warnings[0];
  spec.file_background = {fftconv::BackgroundRule::Kind::given, kBackground};
  EXPECT_TRUE(make().warnings.empty());
}

TEST_F(MeasuredPsf, SaysWhatASmallWindowLoses) {
  spec.size = Extent3{5, 5, 5};
  const auto psf = make();
  EXPECT_EQ(psf.voxels.extent, (Extent3{5, 5, 5}));
  // erf of half the window over each axis
  const double expected = std::erf(2.5 * kPitch.y_um / kLateralUm / std::sqrt(2)) *
                          std::erf(2.5 * kPitch.x_um / kLateralUm / std::sqrt(2));
  EXPECT_NEAR(psf.captured[2], expected, 0.02);
  ASSERT_EQ(psf.warnings.size(), 1u);
  EXPECT_NE(psf.warnings[0].find("give it a larger size"), std::string::npos) << psf.warnings[0];
}

TEST_F(MeasuredPsf, KeepsItsVolumesEnergyWhateverTheGrid) {
  spec.normalization = PsfNormalization::none;
  const double in_file =
      std::pow(2 * 3.14159265358979, 1.5) * 5000 * kAxialUm * kLateralUm * kLateralUm;
  for (const VoxelSize& pitch : {kPitch, kFilePitch, VoxelSize{0.1, 0.03, 0.03}}) {
    const auto psf = make(pitch);
    const double sum = std::accumulate(psf.voxels.voxels.begin(), psf.voxels.voxels.end(), 0.0) *
                       pitch.z_um * pitch.y_um * pitch.x_um;
    EXPECT_NEAR(sum / in_file, 1, 2e-3);
  }
}

TEST_F(MeasuredPsf, IsIntegratedOverThePixelWhenAskedTo) {
  const VoxelSize coarse{0.3, 0.3, 0.3};
  spec.pixel_integration = true;
  spec.normalization = PsfNormalization::none;
  const auto psf = make(coarse);
  const double half = 0.15 / kLateralUm / std::sqrt(2);
  const double mean = std::sqrt(3.14159265358979) / 2 * std::erf(half) / half;
  EXPECT_NEAR(psf.voxels.view()(psf.centre.z, psf.centre.y, psf.centre.x) / (5000 * mean * mean), 1,
              5e-3);
}

/// A wide-field PSF: a waist of 90 nm, and as much light in every plane.
class WideFieldPsf : public MeasuredPsf {
 protected:
  static constexpr VoxelSize kWidePitch{0.2, 0.04, 0.04};
  static constexpr double kWaistUm = 0.09;

  void SetUp() override {
    MeasuredPsf::SetUp();
    Volume<float> voxels{{9, 121, 121}};
    for (std::int64_t z = 0; z < 9; ++z) {
      const double width = kWaistUm * std::hypot(1, static_cast<double>(z - 4) * 0.2 / 0.2);
      for (std::int64_t y = 0; y < 121; ++y)
        for (std::int64_t x = 0; x < 121; ++x) {
          const double r =
              0.04 * std::hypot(static_cast<double>(y - 60), static_cast<double>(x - 60));
          voxels.view()(z, y, x) =
              static_cast<float>(100 * std::exp(-0.5 * r * r / (width * width)) / (width * width));
        }
    }
    write("wide.ome.tif", voxels, true);
    spec.file = folder / "wide.ome.tif";
    spec.file_background = {};
    spec.file_pitch = kWidePitch;
  }
  /// Variance along x of the plane in the middle, um^2.
  static double variance(const BasicPsf<double>& psf, double pitch_um) {
    double sum = 0, squares = 0;
    for (std::int64_t y = 0; y < psf.voxels.extent.y; ++y)
      for (std::int64_t x = 0; x < psf.voxels.extent.x; ++x) {
        const double um = static_cast<double>(x - psf.centre.x) * pitch_um;
        const double light = psf.voxels.view()(psf.centre.z, y, x);
        sum += light;
        squares += light * um * um;
      }
    return squares / sum;
  }
};

TEST_F(WideFieldPsf, HoldsAsMuchLightInEveryPlaneOfAnyGrid) {
  for (const double um : {0.02, 0.04, 0.05, 0.07, 0.09, 0.13, 0.2, 0.4, 0.9}) {
    const auto psf = make({0.2, um, um});
    for (std::int64_t z = 0; z < psf.voxels.extent.z; ++z)
      EXPECT_NEAR(sum_of_plane(psf, z), 1, 1e-3) << um << " um, plane " << z;
  }
}

TEST_F(WideFieldPsf, IsAsBrightInASmallWindow) {
  for (const double um : {0.04, 0.4}) {
    spec.size.reset();
    const auto whole = make({0.2, um, um});
    spec.size = Extent3{1, 3, 3};
    const auto part = make({0.2, um, um});
    EXPECT_NEAR(
        part.voxels.voxels[4] / whole.voxels.view()(whole.centre.z, whole.centre.y, whole.centre.x),
        1, 1e-6)
        << um;
    EXPECT_NEAR(part.captured[0], sum_of_plane(part, 0), 1e-12) << um;
  }
}

TEST_F(WideFieldPsf, HoldsThePixelOnce) {
  for (const bool points : {false, true})
    for (const double um : {0.02, 0.04, 0.05, 0.07}) {
      if (points) spec.pixel_integration = true;
      const double box = points ? std::max(0.0, um * um - 0.04 * 0.04) / 12 : 0;
      EXPECT_NEAR(variance(make({0.2, um, um}), um) / (kWaistUm * kWaistUm + box), 1, 2e-3)
          << points << ' ' << um;
    }
}

TEST_F(WideFieldPsf, RefusesSamplesThatMiscountItsLight) {
  spec.pixel_integration = false;
  EXPECT_NO_THROW(make({0.2, 0.09, 0.09}));
  test::expect_failure<InvalidSpec>(
      [&] {
        make({0.2, 0.4, 0.4});
      },
      {"wide.ome.tif", "0.4 um apart", "leave pixel_integration out"});
}

TEST_F(WideFieldPsf, WarnsOfAGridCoarserThanItsDetail) {
  EXPECT_TRUE(make({0.2, 0.09, 0.09}).warnings.empty());
  const auto lateral = make({0.2, 0.13, 0.2}).warnings;
  ASSERT_EQ(lateral.size(), 1u);
  EXPECT_NE(lateral[0].find("the lateral voxel size of 0.2 um undersamples"), std::string::npos)
      << lateral[0];
  const auto axial = make({0.6, 0.09, 0.09}).warnings;
  ASSERT_EQ(axial.size(), 1u);
  EXPECT_NE(axial[0].find("the axial voxel size of 0.6 um"), std::string::npos) << axial[0];
}

TEST_F(WideFieldPsf, IsJudgedByItsSidesAloneForItsEndsAreBright) {
  const MeasuredFile file = open_measured(spec, StopFlag{});
  EXPECT_GT(file.summary.border_share, 0.2);
  EXPECT_TRUE(make(kWidePitch).warnings.empty());
}

TEST_F(WideFieldPsf, SaysWhichKeysOfALensChangeNothing) {
  spec.na = 1.2;
  spec.depth_um = 3;
  const auto warnings = make(kWidePitch).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find(": na, depth_um;"), std::string::npos) << warnings[0];
  spec.axial_origin = {AxialOrigin::Rule::fixed, 0.5};
  test::expect_failure<InvalidSpec>([&] { make(); }, {"axial origin is 0.5", "file_center"});
}

TEST_F(MeasuredPsf, IsCentredOnThePlateauWhereItsCameraSaturated) {
  spec.file_background = {};
  for (const double clipped : {0.9, 0.6, 0.3}) {
    Volume<float> voxels = read_all<float>(*imageio::open_image(folder / "psf.ome.tif").source);
    for (float& v : voxels.voxels)
      v = std::min(v - static_cast<float>(kBackground), static_cast<float>(clipped * 5000));
    write("clipped.tif", voxels, true);
    spec.file = folder / "clipped.tif";
    const VoxelPosition found = open_measured(spec, StopFlag{}).centre;
    EXPECT_NEAR(found.z, kCentre.z, 0.1) << clipped;
    EXPECT_NEAR(found.y, kCentre.y, 0.1) << clipped;
    EXPECT_NEAR(found.x, kCentre.x, 0.1) << clipped;
    std::filesystem::remove(folder / "clipped.tif");
  }
}

TEST_F(MeasuredPsf, NeverReachesFartherThanLightCanTravel) {
  PsfSizing sizing;
  sizing.volume = Extent3{4, 9, 12};
  EXPECT_EQ(make(kPitch, sizing).voxels.extent, (Extent3{7, 17, 23}));
}

TEST_F(MeasuredPsf, CountsTheFileThatItHolds) {
  MemoryBudget enough{1 << 24}, little{41 * 61 * 65 * 4};
  const auto room = psf_size(spec, kPitch, {}, pool);
  const auto psf = make_psf(spec, kPitch, {}, pool, &enough);
  EXPECT_EQ(psf.voxels.extent, room.size);
  EXPECT_EQ(enough.used(), room.voxel_bytes);
  EXPECT_EQ(enough.peak(), room.voxel_bytes + room.working_bytes);
  EXPECT_THROW(make_psf(spec, kPitch, {}, pool, &little), PlanError);
}

TEST_F(MeasuredPsf, NeedsAVoxelSizeFromTheFileOrTheSpec) {
  spec.file = folder / "no_pitch.tif";
  test::expect_failure<InvalidSpec>([&] { make(); },
                                    {"no_pitch.tif", "voxels", "optics.file_pitch_nm"});
  spec.file_pitch = kFilePitch;
  const auto given = make();
  spec.file = folder / "psf.ome.tif";
  EXPECT_EQ(given.voxels.voxels, make().voxels.voxels);
}

TEST_F(MeasuredPsf, ComesFromADataSetOfHdf5AsWell) {
  const auto from_tiff = make();
  Volume<float> voxels = read_all<float>(*imageio::open_image(*spec.file).source);
  write("psf.h5", voxels, true);
  spec.file = (folder / "psf.h5").string() + ":/image";
  EXPECT_EQ(make().voxels.voxels, from_tiff.voxels.voxels);
}

TEST_F(MeasuredPsf, StopsReadingWhenAsked) {
  StopFlag stop;
  stop.request();
  EXPECT_THROW(make_psf(spec, kPitch, {}, pool, nullptr, stop), Interrupted);
  EXPECT_THROW(psf_size(spec, kPitch, {}, pool, stop), Interrupted);
}

TEST_F(MeasuredPsf, RefusesWhatHoldsNoLight) {
  spec.file = folder / "nan.tif";
  test::expect_failure<InvalidInput>([&] { make(); }, {"nan.tif", "NaN"});
  spec.file = folder / "flat.tif";
  test::expect_failure<InvalidInput>([&] { make(); }, {"flat.tif", "zero", "background of 3"});
  spec.file = folder / "psf.ome.tif";
  spec.file_background = {fftconv::BackgroundRule::Kind::given, 1e5};
  test::expect_failure<InvalidInput>([&] { make(); }, {"optics.file_background", "positive"});
  spec.file.reset();
  test::expect_failure<InvalidSpec>([&] { make(); }, {"optics.file"});
  spec.model = PsfModel::gaussian;
  spec.file = folder / "psf.ome.tif";
  test::expect_failure<InvalidSpec>([&] { make(); }, {"optics.model", "file"});
}

/// Full width at half maximum through the largest value, between neighbours linearly.
double width_of(const std::vector<double>& profile) {
  const auto top = std::max_element(profile.begin(), profile.end());
  const double half = *top / 2;
  const auto crossing = [&](auto from, auto end, auto step) {
    double at = 0;
    for (; from + step != end; from += step, ++at)
      if (*(from + step) < half) return at + (*from - half) / (*from - *(from + step));
    return at;
  };
  return crossing(top, profile.end(), 1) + crossing(top, profile.begin() - 1, -1);
}

TEST(RealMeasuredPsf, KeepsItsWidthsAndPutsItsPeakInTheMiddle) {
  const char* const data = std::getenv("SYNTHOSCOPE_TEST_DATA");
  if (!data) GTEST_SKIP() << "SYNTHOSCOPE_TEST_DATA names no folder of real images";
  OpticsSpec spec;
  spec.model = PsfModel::file;
  spec.file = std::filesystem::path{data} / "psf_measured_61x128x128_u16.tif";
  spec.file_background.kind = fftconv::BackgroundRule::Kind::automatic;
  spec.file_pitch = VoxelSize{0.1, 0.1, 0.1};  // the file does not say
  TaskPool pool{2};
  const MeasuredFile file = open_measured(spec, StopFlag{});
  EXPECT_EQ(file.summary.background, 142);
  EXPECT_NEAR(file.centre.z, 30.5, 0.5);
  EXPECT_NEAR(file.centre.y, 71, 0.5);
  EXPECT_NEAR(file.centre.x, 64, 0.5);

  const auto psf = make_psf<double>(spec, {0.05, 0.05, 0.05}, {}, pool);
  const auto v = psf.voxels.view();
  const auto top = std::max_element(psf.voxels.voxels.begin(), psf.voxels.voxels.end());
  EXPECT_NEAR(v(psf.centre.z, psf.centre.y, psf.centre.x) / *top, 1, 0.02);
  // Widths of the lines of the file that pass the peak (30, 71, 64), read by another program
  struct Line {
    Index3 step;
    std::vector<double> in_file;
  };
  const Line lines[] = {
      {{1, 0, 0}, {776, 1683, 3085, 4454, 6386, 7404, 7650, 7650, 6105, 4560, 3050, 1696, 896}},
      {{0, 1, 0}, {171, 372, 1761, 5352, 7650, 6457, 2863, 494, 218}},
      {{0, 0, 1}, {122, 244, 1279, 4575, 7650, 7084, 3358, 878, 462}},
  };
  for (const Line& line : lines) {
    std::vector<double> profile;
    for (std::int64_t i = -14; i <= 14; ++i)
      profile.push_back(v(psf.centre.z + i * line.step.z, psf.centre.y + i * line.step.y,
                          psf.centre.x + i * line.step.x));
    EXPECT_NEAR(width_of(profile) / 2 / width_of(line.in_file), 1, 0.05)
        << fmt::format("along {}", line.step);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
