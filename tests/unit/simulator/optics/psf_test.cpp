// SPDX-License-Identifier: MIT
// psf_test.cpp — PSFs on a grid: values, energy, focus, window, and what is refused.
#include "simulator/optics/psf.hpp"
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "tests/support/case_name.hpp"
#include "tests/unit/simulator/optics/psf_oracle.hpp"
#include "tests/unit/simulator/optics/psf_setups.hpp"

namespace synthoscope::simulator {
namespace {

class PsfOf : public testing::TestWithParam<test::Setup> {
 protected:
  TaskPool pool{2};
  OpticsSpec optics = GetParam().optics();
  VoxelSize pitch = GetParam().pitch;
};

TEST_P(PsfOf, EqualsAnIndependentQuadratureToAMillionthOfThePeak) {
  optics.pixel_integration = false;
  optics.normalization = PsfNormalization::none;
  optics.size = Extent3{21, 41, 41};
  const auto psf = make_psf<double>(optics, pitch, {}, pool);
  const double peak = *std::max_element(psf.voxels.voxels.begin(), psf.voxels.voxels.end());
  const synthoscope::test::GibsonLanniOracle oracle{optics};
  constexpr Index3 kVoxels[] = {{10, 20, 20}, {10, 21, 20}, {10, 23, 26}, {10, 40, 40},
                                {4, 20, 20},  {4, 18, 33},  {0, 20, 20},  {0, 3, 1},
                                {20, 20, 20}, {20, 20, 25}, {20, 0, 20},  {15, 27, 12},
                                {7, 22, 19}};
  for (const Index3& v : kVoxels) {
    const double z = psf.origin_um + static_cast<double>(v.z - 10) * pitch.z_um;
    const double r = std::hypot(static_cast<double>(v.y - 20) * pitch.y_um,
                                static_cast<double>(v.x - 20) * pitch.x_um);
    EXPECT_NEAR(psf.voxels.view()(v.z, v.y, v.x) / peak, oracle.intensity(r, z, 6000) / peak, 1e-6)
        << fmt::format("voxel {}", v);
  }
}

TEST_P(PsfOf, IntegratesEveryPixelExactlyOnce) {
  optics.normalization = PsfNormalization::none;
  optics.size = Extent3{3, 7, 7};
  pitch = {pitch.z_um, pitch.y_um * 2.5, pitch.x_um * 2};  // far coarser than the light
  const auto coarse = make_psf<double>(optics, pitch, {}, pool);
  // Samples on a grid 30 times finer, summed by Simpson's rule
  constexpr int kFine = 30;
  optics.pixel_integration = false;
  optics.size = Extent3{3, 7 * kFine + 1, 7 * kFine + 1};
  const auto fine =
      make_psf<double>(optics, {pitch.z_um, pitch.y_um / kFine, pitch.x_um / kFine}, {}, pool);
  const auto simpson = [](std::int64_t i) {
    return (i % kFine == 0 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * kFine);
  };
  const double peak = *std::max_element(coarse.voxels.voxels.begin(), coarse.voxels.voxels.end());
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 7; ++y)
      for (std::int64_t x = 0; x < 7; ++x) {
        double mean = 0;
        for (std::int64_t i = 0; i <= kFine; ++i)
          for (std::int64_t j = 0; j <= kFine; ++j)
            mean += simpson(i) * simpson(j) * fine.voxels.view()(z, y * kFine + i, x * kFine + j);
        EXPECT_NEAR(coarse.voxels.view()(z, y, x) / peak, mean / peak, 2e-6);
      }
}

TEST_P(PsfOf, IsMirroredInYAndX) {
  optics.size = Extent3{5, 21, 15};
  const auto psf = make_psf(optics, pitch, {}, pool);
  for (std::int64_t z = 0; z < 5; ++z)
    for (std::int64_t y = 0; y < 21; ++y)
      for (std::int64_t x = 0; x < 15; ++x)
        ASSERT_EQ(psf.voxels.view()(z, y, x), psf.voxels.view()(z, 20 - y, 14 - x));
}

TEST_P(PsfOf, IsTheSameForEveryNumberOfThreads) {
  optics.size = Extent3{5, 33, 33};
  const tbb::global_control crowd{tbb::global_control::max_allowed_parallelism, 7};
  TaskPool one{1}, seven{7};
  EXPECT_EQ(make_psf(optics, pitch, {}, one).voxels.voxels,
            make_psf(optics, pitch, {}, seven).voxels.voxels);
}

TEST_P(PsfOf, CountsWhatItHoldsBeforeItTakesIt) {
  optics.size = Extent3{5, 33, 33};
  constexpr std::int64_t kVoxelBytes = 5 * 33 * 33 * 4;
  MemoryBudget enough{1 << 24}, little{kVoxelBytes - 1};
  {
    const auto psf = make_psf(optics, pitch, {}, pool, &enough);
    EXPECT_EQ(enough.used(), kVoxelBytes);
    EXPECT_EQ(psf.voxels.voxels, make_psf(optics, pitch, {}, pool).voxels.voxels);
  }
  EXPECT_EQ(enough.used(), 0);
  EXPECT_THROW(make_psf(optics, pitch, {}, pool, &little), PlanError);
}

TEST_P(PsfOf, CapturesTheEnergyItPromisesInItsDefaultWindow) {
  optics.depth_um /= 10;  // glancing rays of a deep emitter would leave any window
  PsfSizing sizing;
  sizing.volume = Extent3{9, 4096, 4096};
  sizing.lateral_limit = 1023;
  const auto psf = make_psf(optics, pitch, sizing, pool);
  EXPECT_EQ(psf.voxels.extent.z, 17);
  EXPECT_LT(psf.voxels.extent.y, 1023);
  for (const double fraction : {psf.captured.front(), psf.captured.back()}) {
    EXPECT_GE(fraction, 0.99);
    EXPECT_LE(fraction, 1 + 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Setups, PsfOf, testing::ValuesIn(test::kSetups),
                         synthoscope::test::kCaseName);

TEST(Psf, IsAnAiryPatternWithEqualIndicesInFocus) {
  OpticsSpec s;
  s.sample_index = s.immersion_index;
  s.pixel_integration = false;
  s.normalization = PsfNormalization::peak;
  s.size = Extent3{1, 1, 61};
  TaskPool pool{1};
  const auto psf = make_psf<double>(s, {0.1, 0.02, 0.02}, {}, pool);
  EXPECT_NEAR(psf.focus_um, 0, 1e-9);
  const double k_na = 2 * std::numbers::pi * s.na / (s.wavelength_nm * 1e-3);
  for (std::int64_t x = 31; x < 61; ++x) {
    const double v = k_na * 0.02 * static_cast<double>(x - 30);
    EXPECT_NEAR(psf.voxels.voxels[static_cast<std::size_t>(x)],
                std::pow(2 * std::cyl_bessel_j(1.0, v) / v, 2), 1e-6);
  }
}

struct OriginCase {
  const char* name;
  AxialOrigin origin;
  double expected_um;  ///< NaN: wherever the focus is
};
const OriginCase kOrigins[] = {{"nominal", {AxialOrigin::Rule::nominal, 0}, 0},
                               {"focus", {AxialOrigin::Rule::focus, 0}, NAN},
                               {"fixed", {AxialOrigin::Rule::fixed, -1.25}, -1.25}};

class PsfOrigin : public testing::TestWithParam<OriginCase> {};

TEST_P(PsfOrigin, PutsTheAskedPlaneInTheMiddle) {
  OpticsSpec s = test::oil_into_water();
  s.axial_origin = GetParam().origin;
  s.size = Extent3{3, 5, 5};
  TaskPool pool{1};
  const auto psf = make_psf(s, {0.2, 0.1, 0.1}, {}, pool);
  const double expected =
      std::isnan(GetParam().expected_um) ? psf.focus_um : GetParam().expected_um;
  EXPECT_EQ(psf.origin_um, expected);
  EXPECT_EQ(psf.centre, (Index3{1, 2, 2}));
}

INSTANTIATE_TEST_SUITE_P(Rules, PsfOrigin, testing::ValuesIn(kOrigins),
                         synthoscope::test::kCaseName);

constexpr std::pair<PsfModel, std::string_view> kComputed[] = {
    {PsfModel::gaussian, "gaussian"},
    {PsfModel::born_wolf, "born_wolf"},
    {PsfModel::gibson_lanni, "gibson_lanni"},
    {PsfModel::richards_wolf, "richards_wolf"},
};

class PsfModelOf : public testing::TestWithParam<std::pair<PsfModel, std::string_view>> {};

TEST_P(PsfModelOf, AddsUpToWhatItsNormalisationSays) {
  OpticsSpec s;
  s.model = GetParam().first;
  s.sample_index = s.immersion_index;  // light near total reflection would leave the window
  s.size = Extent3{5, 31, 31};
  TaskPool pool{1};
  const auto of = [&](PsfNormalization n) {
    s.normalization = n;
    return make_psf<double>(s, {0.2, 0.08, 0.08}, {}, pool);
  };
  const auto total = [](const BasicPsf<double>& psf) {
    double sum = 0;
    for (const double v : psf.voxels.voxels) sum += v;
    return sum;
  };
  const auto largest = [](const BasicPsf<double>& psf) {
    return *std::max_element(psf.voxels.voxels.begin(), psf.voxels.voxels.end());
  };
  EXPECT_NEAR(total(of(PsfNormalization::sum)), 1, 1e-12);
  EXPECT_NEAR(largest(of(PsfNormalization::peak)), 1, 1e-15);
  const auto plane = of(PsfNormalization::plane);
  double in_focus = 0;
  for (std::size_t i = 2 * 31 * 31; i < 3 * 31 * 31; ++i) in_focus += plane.voxels.voxels[i];
  EXPECT_NEAR(in_focus, plane.captured[2], 1e-12);
  EXPECT_GT(plane.captured[2], 0.9);
  EXPECT_LE(plane.captured[2], 1 + 1e-12);
}

TEST_P(PsfModelOf, HoldsNoMoreLightThanThereIsAtTheCoarsestSampling) {
  OpticsSpec s;
  s.model = GetParam().first;
  s.na = 0.5;
  s.immersion_index = s.sample_index = 1;
  TaskPool pool{2};
  const auto most = [&](double um, bool integrates) {
    s.pixel_integration = integrates;
    const auto side = 2 * static_cast<std::int64_t>(60 / um) + 1;  // holds 99.5 % of an Airy disc
    s.size = Extent3{1, side, side};
    return make_psf<double>(s, {1, um, um}, {}, pool).captured[0];
  };
  const double um = coarsest_sampling_um(s);
  EXPECT_NEAR(most(um, false), most(um, true), 1e-3);
  EXPECT_GT(most(1.5 * um, false), 1.02);
  EXPECT_NEAR(most(1.5 * um, true), most(um, true), 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Models, PsfModelOf, testing::ValuesIn(kComputed),
                         [](const auto& row) { return std::string{row.param.second}; });

TEST(PsfWarnings, NameTheNyquistLimitAndTheEnergyThatIsLost) {
  OpticsSpec s;
  s.size = Extent3{51, 65, 65};
  TaskPool pool{2};
  const auto psf = make_psf(s, {0.4, 0.2, 0.2}, {}, pool);
  ASSERT_EQ(psf.warnings.size(), 2u);  // one of both steps, and one of the energy
  EXPECT_NE(psf.warnings[0].find("Nyquist limit of 0.09286 um"), std::string::npos);
  EXPECT_NE(psf.warnings[0].find("distance of 0.4 um between planes"), std::string::npos);
  EXPECT_NE(psf.warnings[1].find("give it a larger size"), std::string::npos);
  s.size.reset();
  PsfSizing sizing;
  sizing.volume = Extent3{5, 256, 256};
  EXPECT_TRUE(make_psf(s, {0.2, 0.08, 0.08}, sizing, pool).warnings.empty());
}

TEST(PsfWarnings, SayThatCoarseSamplesMakeLightThatIsNotThere) {
  OpticsSpec s;  // a weak dry lens before large pixels
  s.na = 0.2;
  s.immersion_index = s.sample_index = 1;
  s.coverslip_um = 0;
  s.size = Extent3{9, 65, 65};
  TaskPool pool{2};
  const auto said = [&] {
    std::string all;
    for (const auto& warning : make_psf(s, {5, 1.625, 1.625}, {}, pool).warnings) all += warning;
    return all;
  };
  s.pixel_integration = false;
  EXPECT_NE(said().find("brighter than it should be; integrate over the pixel"), std::string::npos);
  s.pixel_integration = true;
  EXPECT_EQ(said().find("brighter"), std::string::npos);
}

TEST(PsfWarnings, SayWhatALimitCutsOffButNothingOfLightThatLeavesTheField) {
  const OpticsSpec s;
  TaskPool pool{2};
  PsfSizing sizing;
  sizing.volume = Extent3{41, 31, 31};  // 8 um deep: light lands far outside
  const auto narrow_field = make_psf(s, {0.2, 0.08, 0.08}, sizing, pool);
  EXPECT_EQ(narrow_field.voxels.extent, (Extent3{81, 61, 61}));
  EXPECT_LT(narrow_field.captured.front(), 0.5);
  EXPECT_TRUE(narrow_field.warnings.empty()) << narrow_field.warnings.front();
  sizing.volume = Extent3{41, 500, 500};
  sizing.lateral_limit = 61;
  const auto limited = make_psf(s, {0.2, 0.08, 0.08}, sizing, pool);
  ASSERT_EQ(limited.warnings.size(), 1u);
  const auto least = std::min_element(limited.captured.begin(), limited.captured.end());
  const auto plane = least - limited.captured.begin();
  EXPECT_EQ(limited.warnings[0],
            fmt::format("psf: a PSF of 81x61x61 voxels contains only {:.1f} % of the light of the "
                        "plane at z = {:.4g} um; give it a larger size (if none is given, it is at "
                        "most 61 wide)",
                        100 * *least, limited.origin_um + (static_cast<double>(plane) - 40) * 0.2));
}

TEST(PsfWarnings, SayThatTheFocusIsOutsideTheWindow) {
  OpticsSpec s = test::oil_into_water();
  s.axial_origin.rule = AxialOrigin::Rule::nominal;
  s.size = Extent3{9, 3, 3};
  TaskPool pool{1};
  const auto psf = make_psf(s, {0.2, 0.08, 0.08}, {}, pool);
  ASSERT_EQ(psf.warnings.size(), 2u);
  EXPECT_EQ(psf.warnings[0],
            fmt::format("psf: the brightest plane, z = {:.4g} um, is not among the 9 planes around "
                        "z = 0 um; set the axial origin (optics.axial_origin) to focus to move it "
                        "to the middle",
                        psf.focus_um));
}

TEST(PsfWindow, IsNeverWiderThanLightCanTravelInTheVolume) {
  OpticsSpec s;
  PsfSizing sizing;
  sizing.volume = Extent3{1, 9, 12};
  TaskPool pool{1};
  EXPECT_EQ(make_psf(s, {0.2, 0.08, 0.08}, sizing, pool).voxels.extent, (Extent3{1, 17, 23}));
}

struct RefusalCase {
  const char* name;
  void (*spoil)(OpticsSpec&, VoxelSize&, PsfSizing&);
  const char* message;
};
const RefusalCase kRefusals[] = {
    {"aperture_above_index",
     [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.immersion_index = 1.33; },
     "optics: the numerical aperture 1.4 is not below the immersion index 1.33; lower the aperture "
     "or name the immersion (oil 1.515, water 1.33, air 1)"},
    {"negative_aperture", [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.na = -1; },
     "check the values: optics.na is -1; give 0.01 to 4"},
    {"nan_wavelength", [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.wavelength_nm = NAN; },
     "check the values: optics.wavelength_nm is nan; give 100 to 1e4 (nm)"},
    {"wavelength_in_um", [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.wavelength_nm = 0.52; },
     "check the values: optics.wavelength_nm is 0.52; give 100 to 1e4 (nm)"},
    {"two_photons_too_short",
     [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.model = PsfModel::two_photon; },
     "optics: two photons of 488 nm cannot excite light of 520 nm, which needs more than 520 and "
     "at most 1040 nm; set the excitation to the wavelength of the laser, such as 920 nm"},
    {"negative_depth", [](OpticsSpec& s, VoxelSize&, PsfSizing&) { s.depth_um = -1; },
     "check the values: optics.depth_um is -1; give 0 to 1000 (um)"},
    {"even_size",
     [](OpticsSpec& s, VoxelSize&, PsfSizing&) {
       s.size = Extent3{4, 5, 5};
     },
     "optics: the size of the PSF is 4x5x5, each of z, y and x must be odd and at least 1 so that "
     "it has a middle voxel; give for example 33,65,65"},
    {"huge_size",
     [](OpticsSpec& s, VoxelSize&, PsfSizing&) {
       s.size = Extent3{2001, 2001, 2001};
     },
     "psf: a size of 2001x2001x2001 has 8012006001 voxels, at most 2147483648 are computed; give a "
     "smaller size"},
    {"no_pitch", [](OpticsSpec&, VoxelSize& p, PsfSizing&) { p.y_um = 0; },
     "psf: the voxel size is 0.2 x 0 x 0.1 um, each must be positive; correct it"},
    {"empty_volume",
     [](OpticsSpec&, VoxelSize&, PsfSizing& z) {
       z.volume = Extent3{0, 1, 1};
     },
     "psf: the volume to be blurred is 0x1x1, each axis needs at least 1 voxel and z at most "
     "1048576; correct it"},
    {"even_limit", [](OpticsSpec&, VoxelSize&, PsfSizing& z) { z.lateral_limit = 64; },
     "psf: the lateral limit is 64 voxels, it must be odd and at least 1; correct it"},
};

class PsfRefuses : public testing::TestWithParam<RefusalCase> {};

TEST_P(PsfRefuses, WithOneSentence) {
  OpticsSpec s;
  VoxelSize pitch{0.2, 0.1, 0.1};
  PsfSizing sizing;
  GetParam().spoil(s, pitch, sizing);
  TaskPool pool{1};
  try {
    make_psf(s, pitch, sizing, pool);
    FAIL() << "accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Specs, PsfRefuses, testing::ValuesIn(kRefusals),
                         synthoscope::test::kCaseName);

TEST(PsfRefusesPaths, WhoseNodesNobodyWouldWaitFor) {
  OpticsSpec s;
  s.design_immersion_index = 1.6;
  s.working_distance_um = 20000;
  s.size = Extent3{1, 3, 3};
  TaskPool pool{1};
  EXPECT_THROW(make_psf(s, {0.2, 0.1, 0.1}, {}, pool), InvalidSpec);
}

TEST(AxialOriginText, ReadsBackWhatItPrints) {
  for (const char* text : {"nominal", "focus", "-3.25"})
    EXPECT_EQ(print(parse_axial_origin(text)), text);
  EXPECT_THROW(parse_axial_origin("focal"), InvalidSpec);
  EXPECT_THROW(parse_axial_origin("3um"), InvalidSpec);
  EXPECT_THROW(parse_axial_origin("nan"), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
