// SPDX-License-Identifier: MIT
// stripes_test.cpp — stripes lie where the table of patterns says, and dim what the lens dims.
#include "simulator/light/stripes.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/data_set/pattern_table.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/one_psf.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::int64_t kRoomy = std::int64_t{1} << 30;

OpticsSpec lens(double na, double excitation_nm, double sample_index = 1.33) {
  OpticsSpec optics;
  optics.na = na;
  optics.excitation_nm = excitation_nm;
  optics.sample_index = sample_index;
  return optics;
}

SceneSpec scene_of(const std::string& text) {
  return parse_scene(text, "scene");
}

/// Raw image `frame` of `light`, without noise.
struct Taken {
  Taken(const SceneSpec& scene, const Volume<float>& light, std::int64_t frame = 0)
      : psf{make_psf(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), run.pool)} {
    const PsfSize room =
        psf_size(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), run.pool);
    const auto plan = plan_convolution(blur_problem(scene, room, BoxOrder::any), {kRoomy});
    const auto executor = fftconv::make_host_executor({kRoomy});
    const Illumination even{scene.illumination, scene.grid.extent};
    const test::OnePsf only{scene, psf};
    Imaging lens{scene, 1, only.terms, even};
    MemorySource source{light.view()};
    photons = Volume<float>{scene.grid.extent};
    MemorySink sink{photons.view()};
    lens.run(*executor, plan, source, frame, sink, run.context);
    energy = lens.energy();
  }

  test::TestContext run{2, kRoomy};
  Psf psf;
  Volume<float> photons;
  std::optional<EnergyBalance> energy;
};

Volume<float> uneven_light(const Extent3& extent) {
  Volume<float> light{extent};
  for (std::size_t i = 0; i < light.voxels.size(); ++i)
    light.voxels[i] = static_cast<float>((i * 7919 + i / 13) % 101);
  return light;
}

TEST(RawPattern, GoesThroughPhasesAndThenAngles) {
  const OpticsSpec optics = lens(1.4, 488);
  const PatternSpec pattern{.kind = PatternKind::two_beam,
                            .period_nm = 250,
                            .first_angle_degrees = 10,
                            .first_phase_degrees = 30};
  for (std::int64_t frame = 0; frame < 12; ++frame) {
    const RawPattern raw = raw_pattern(pattern, optics, frame);
    EXPECT_EQ(raw.angle, frame % 9 / 3);
    EXPECT_EQ(raw.phase, frame % 3);
    const double angle = 10 + 60.0 * static_cast<double>(raw.angle);
    EXPECT_NEAR(raw.angle_degrees, angle, 1e-12);
    EXPECT_NEAR(raw.fine.cycles_per_um[0], 4 * std::sin(angle * kPi / 180), 1e-14);
    EXPECT_NEAR(raw.fine.cycles_per_um[1], 4 * std::cos(angle * kPi / 180), 1e-14);
    EXPECT_NEAR(raw.fine.phase_turns, 30.0 / 360 + static_cast<double>(raw.phase) / 3, 1e-14);
    EXPECT_EQ(raw.coarse.contrast, 0);
  }
}

TEST(RawPattern, IsAsFineAsNineTenthsOfTheApertureUnlessTheSceneSaysOtherwise) {
  const OpticsSpec optics = lens(1.2, 561);
  EXPECT_NEAR(pattern_period_um({.kind = PatternKind::two_beam}, optics), 0.561 / (2 * 0.9 * 1.2),
              1e-15);
}

/// Light of three plane waves at a point, z from the focus, over its mean.
double three_waves(const PatternSpec& pattern, const OpticsSpec& optics, std::int64_t frame,
                   double z, double y, double x) {
  const double wave_number = 2 * kPi * optics.sample_index / (optics.excitation_nm * 1e-3);
  const double lateral = kPi / (*pattern.period_nm * 1e-3);
  const double axial = std::sqrt(wave_number * wave_number - lateral * lateral);
  const auto phases = static_cast<double>(pattern.phase_count());
  const auto angle = kPi * static_cast<double>(frame / pattern.phase_count()) /
                     static_cast<double>(pattern.angles);
  const double psi = lateral * (y * std::sin(angle) + x * std::cos(angle)) +
                     2 * kPi * static_cast<double>(frame % pattern.phase_count()) / phases;
  const std::complex<double> i{0, 1};
  const auto wave = std::exp(i * wave_number * z) + std::exp(i * (axial * z + psi)) +
                    std::exp(i * (axial * z - psi));
  return 1 + pattern.contrast * (std::norm(wave) / 3 - 1);
}

TEST(RawPattern, OfThreeBeamsIsTheLightOfThreePlaneWaves) {
  const OpticsSpec optics = lens(1.2, 488, 1.4);
  const PatternSpec pattern{
      .kind = PatternKind::three_beam, .period_nm = 230, .angles = 2, .contrast = 0.8};
  for (std::int64_t frame = 0; frame < 10; ++frame) {
    const RawPattern raw = raw_pattern(pattern, optics, frame);
    const auto harmonic = [&](const Harmonic& h, double y, double x) {
      return h.contrast *
             std::cos(2 * kPi * (h.cycles_per_um[0] * y + h.cycles_per_um[1] * x + h.phase_turns));
    };
    for (const auto& [z, y, x] :
         {std::array{0.0, 0.0, 0.0}, std::array{0.31, -1.7, 2.2}, std::array{-1.1, 0.4, -0.6}}) {
      const double along = std::cos(2 * kPi * raw.axial_cycles_per_um * z);
      EXPECT_NEAR(1 + harmonic(raw.fine, y, x) + along * harmonic(raw.coarse, y, x),
                  three_waves(pattern, optics, frame, z, y, x), 1e-12);
    }
  }
}

TEST(Stripes, AreMeansOverVoxelsWhereLightIs) {
  const Harmonic harmonic{0.7, {1.3, -2.1}, 0.2};
  const Grid grid{{1, 5, 8}, {1, 0.11, 0.09}};
  const Stripes in_middles{harmonic, 1, grid, false}, averaged{harmonic, 0, grid, true};
  const auto at = [&](double y, double x) {
    return 0.7 * std::cos(2 * kPi * (1.3 * (y - 2.5) * 0.11 - 2.1 * (x - 4) * 0.09 + 0.2));
  };
  for (std::int64_t y = 0; y < 5; ++y)
    for (std::int64_t x = 0; x < 8; ++x) {
      const auto row = static_cast<double>(y), column = static_cast<double>(x);
      EXPECT_NEAR(in_middles.plain().lit(1, y, x), 1 + at(row + 0.5, column + 0.5), 1e-6);
      constexpr int kSteps = 64;
      double mean = 0;
      for (int i = 0; i < kSteps; ++i)
        for (int j = 0; j < kSteps; ++j)
          mean += at(row + (i + 0.5) / kSteps, column + (j + 0.5) / kSteps) / (kSteps * kSteps);
      EXPECT_NEAR(averaged.plain().lit(1, y, x), mean, 1e-4);
    }
}

TEST(StripedSource, GivesTheSameVoxelsInAnyBox) {
  const Extent3 extent{4, 9, 11};
  const Stripes stripes{{0.9, {2, 3}, 0.1}, 1, {extent, {0.2, 0.1, 0.1}}, true};
  const Volume<float> light = uneven_light(extent);
  MemorySource inner{light.view()};
  StripedSource source{inner, stripes};
  Volume<float> all{extent};
  source.read(whole(extent), all.view());
  EXPECT_NE(all.voxels, light.voxels);
  const Box3 box{{1, 2, 5}, {2, 6, 4}};
  Volume<float> part{box.size};
  source.read(box, part.view());
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 6; ++y)
      for (std::int64_t x = 0; x < 4; ++x)
        EXPECT_EQ(part.view()(z, y, x), all.view()(z + 1, y + 2, x + 5));
}

struct ContrastCase {
  const char* name;
  const char* pattern;
  std::int64_t frame;
};
constexpr ContrastCase kContrasts[] = {
    {"along_x", "period_nm = 500", 0},
    {"tilted", "period_nm = 420\nangles = 5", 4},
    {"faint", "period_nm = 600\ncontrast = 0.4", 7},
    {"near_the_cutoff", "period_nm = 345\nfirst_angle_degrees = 25", 1},
};

class ContrastOf : public testing::TestWithParam<ContrastCase> {};

// In focus the transfer function of a round pupil has a closed form (Goodman, Introduction to
// Fourier Optics, 6.3), cut off at 2 NA / lambda.
TEST_P(ContrastOf, AnEvenPlaneIsThatOfTheTransferFunction) {
  const SceneSpec scene = scene_of(
      std::string{"[grid]\nsize = [1, 200, 200]\npitch_nm = [200, 80, 80]\n"
                  "[background]\nphotons_per_pixel = 0\n[pattern]\nkind = \"two-beam\"\n"} +
      GetParam().pattern +
      "\n[optics]\nmodel = \"born-wolf\"\nna = 0.8\nwavelength_nm = 520\n"
      "excitation_nm = 488\nimmersion_index = 1\nsize = [1, 129, 129]\n");
  Volume<float> light{scene.grid.extent};
  std::fill(light.voxels.begin(), light.voxels.end(), 100.0f);
  const Taken taken{scene, light, GetParam().frame};

  // Fit mean and stripes far from the edges of the field
  const Harmonic stripes = raw_pattern(scene.pattern, scene.optics, GetParam().frame).fine;
  const auto [ky, kx] = stripes.cycles_per_um;
  double in_phase = 0, out_of_phase = 0, count = 0;
  for (std::int64_t y = 70; y < 130; ++y)
    for (std::int64_t x = 70; x < 130; ++x) {
      const double turns = ky * 0.08 * (static_cast<double>(y) - 99.5) +
                           kx * 0.08 * (static_cast<double>(x) - 99.5) + stripes.phase_turns;
      const double window = std::pow(std::sin(kPi * (static_cast<double>(y) - 69.5) / 60), 2) *
                            std::pow(std::sin(kPi * (static_cast<double>(x) - 69.5) / 60), 2);
      const double above = static_cast<double>(taken.photons.view()(0, y, x)) - 100;
      in_phase += 2 * window * above * std::cos(2 * kPi * turns);
      out_of_phase += 2 * window * above * std::sin(2 * kPi * turns);
      count += window;
    }
  const auto sinc = [](double v) { return v == 0 ? 1 : std::sin(kPi * v) / (kPi * v); };
  const double s = std::hypot(ky, kx) * 0.52 / (2 * 0.8);
  const double transfer = s < 1 ? 2 / kPi * (std::acos(s) - s * std::sqrt(1 - s * s)) : 0;
  const double expected = 100 * stripes.contrast * sinc(ky * 0.08) * sinc(kx * 0.08) * transfer;
  EXPECT_NEAR(in_phase / count, expected, 0.1);
  EXPECT_NEAR(out_of_phase / count, 0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Patterns, ContrastOf, testing::ValuesIn(kContrasts), test::kCaseName);

/// Of points, so that stripes are taken in the middles of voxels.
constexpr const char* kThreeBeams =
    "[grid]\nsize = [5, 9, 11]\npitch_nm = [300, 90, 80]\n[background]\nphotons_per_pixel = 0\n"
    "[target]\nkind = \"points\"\nspacing_um = [0.5, 0.4, 0.4]\n"
    "[pattern]\nkind = \"three-beam\"\nperiod_nm = 230\ncontrast = 0.9\n[optics]\nna = 1.2\n"
    "immersion_index = 1.4\nsample_index = 1.4\nsize = [7, 15, 13]\n";

/// Every plane is in focus once, and stripes stay with the focus.
TEST(ThreeBeams, GiveTheSumOverAllVoxelsAsTheFocusLightsThem) {
  const SceneSpec scene = scene_of(kThreeBeams);
  const Volume<float> light = uneven_light(scene.grid.extent);
  for (const std::int64_t frame : {0, 3, 7}) {
    const Taken taken{scene, light, frame};
    const Extent3 k = taken.psf.voxels.extent, v = scene.grid.extent;
    double worst = 0, peak = 0, total = 0;
    for (std::int64_t focus = 0; focus < v.z; ++focus)
      for (std::int64_t y = 0; y < v.y; ++y)
        for (std::int64_t x = 0; x < v.x; ++x) {
          double sum = 0;
          for (std::int64_t z = 0; z < v.z; ++z)
            for (std::int64_t j = 0; j < v.y; ++j)
              for (std::int64_t i = 0; i < v.x; ++i) {
                const Index3 at{focus - z + k.z / 2, y - j + k.y / 2, x - i + k.x / 2};
                if (!contains(k, {at, {1, 1, 1}})) continue;
                const double lit = three_waves(
                    scene.pattern, scene.optics, frame, 0.3 * static_cast<double>(focus - z),
                    0.09 * (static_cast<double>(j) - 4), 0.08 * (static_cast<double>(i) - 5));
                sum += lit * static_cast<double>(light.view()(z, j, i)) *
                       static_cast<double>(taken.psf.voxels.view()(at.z, at.y, at.x));
              }
          const auto found = static_cast<double>(taken.photons.view()(focus, y, x));
          worst = std::max(worst, std::abs(sum - found));
          peak = std::max(peak, sum);
          total += found;
        }
    EXPECT_LT(worst, 1e-6 * peak);
    ASSERT_TRUE(taken.energy.has_value());
    EXPECT_NEAR(taken.energy->image, total, 1e-5 * total);
    EXPECT_NEAR((taken.energy->image + taken.energy->lost_by_window + taken.energy->lost_by_field) /
                    taken.energy->unbounded,
                1, 1e-12);
  }
}

TEST(Patterns, OfAllPhasesAddUpToEvenLight) {
  for (const char* kind : {"two-beam", "three-beam"}) {
    SceneSpec scene = scene_of(kThreeBeams);
    scene.pattern.kind = *named_in(kPatternKindNames, kind);
    const Volume<float> light = uneven_light(scene.grid.extent);
    std::vector<double> sums(light.voxels.size());
    const auto phases = scene.pattern.phase_count();
    for (std::int64_t frame = 0; frame < phases; ++frame) {
      const Taken raw{scene, light, frame};
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += static_cast<double>(raw.photons.voxels[i]) / static_cast<double>(phases);
    }
    SceneSpec even = scene;
    even.pattern = {};
    const Taken plain{even, light};
    const double peak = *std::max_element(plain.photons.voxels.begin(), plain.photons.voxels.end());
    for (std::size_t i = 0; i < sums.size(); ++i)
      EXPECT_NEAR(sums[i], plain.photons.voxels[i], 1e-5 * peak);
  }
}

struct RefusedPattern {
  const char* name;
  const char* text;
  const char* message;
};
constexpr RefusedPattern kRefused[] = {
    {"of_a_scanned_spot", "[pattern]\nkind = \"two-beam\"\n[optics]\nmodel = \"confocal\"\n",
     "pattern.kind is \"two-beam\", and optics.model \"confocal\" scans a spot"},
    {"too_fine_for_voxels",
     "[grid]\npitch_nm = [200, 60, 110]\n[pattern]\nkind = \"two-beam\"\nperiod_nm = 200\n",
     "pattern.period_nm is 200, but voxels 110 nm apart along x show only stripes of 220 nm or "
     "more"},
    {"of_three_beams_beyond_a_right_angle",
     "[grid]\npitch_nm = [200, 60, 60]\n[pattern]\nkind = \"three-beam\"\nperiod_nm = 180\n",
     "three beams of optics.excitation_nm = 488 in a sample of index 1.33"},
    {"unknown", "[pattern]\nkind = \"four-beam\"\n", "pattern.kind"},
};

class PatternThatIs : public testing::TestWithParam<RefusedPattern> {};

TEST_P(PatternThatIs, IsRefusedByTheNameOfItsKey) {
  test::expect_failure<InvalidSpec>([] { scene_of(GetParam().text); }, {GetParam().message});
}

INSTANTIATE_TEST_SUITE_P(Scenes, PatternThatIs, testing::ValuesIn(kRefused), test::kCaseName);

TEST(PatternWarning, NamesWhatLensAndVoxelsCannotShow) {
  const OpticsSpec optics = lens(1.2, 488);
  const PatternSpec fine{.kind = PatternKind::two_beam, .period_nm = 190},
      wide{.kind = PatternKind::two_beam, .period_nm = 300};
  const Grid grid{{1, 64, 64}, {0.2, 0.08, 0.08}}, finer{{1, 64, 64}, {0.2, 0.04, 0.04}};
  EXPECT_NE(pattern_warning(fine, optics, finer)->find("203.3 nm"), std::string::npos);
  EXPECT_NE(pattern_warning(wide, optics, grid)->find("oversample"), std::string::npos);
  EXPECT_EQ(pattern_warning(wide, optics, finer), std::nullopt);
  EXPECT_EQ(pattern_warning({}, optics, grid), std::nullopt);
}

TEST(PatternTable, HasALineForEachFrameAndChannelWithStripes) {
  const SceneSpec scene = scene_of(
      "frames = 4\n[time]\ninterval_seconds = 1\n[pattern]\nkind = \"two-beam\"\nangles = 1\n"
      "phases = 2\nperiod_nm = 300\n"
      "[[channel]]\nname = \"even\"\nlight.nuclei = 1\npattern.kind = \"none\"\n"
      "[[channel]]\nname = \"striped\"\nlight.nuclei = 1\npattern.period_nm = 250\n");
  const auto channels = channels_of(scene);
  EXPECT_TRUE(has_patterns(channels));
  EXPECT_FALSE(has_patterns({channels[0]}));
  EXPECT_EQ(pattern_csv(channels, 3),
            "frame,channel,angle,phase,angle_degrees,period_um,ky_per_um,kx_per_um,phase_degrees,"
            "contrast,coarse_phase_degrees,coarse_contrast,axial_per_um\n"
            "0,striped,0,0,0,0.25,0,4,0,1,0,0,0\n"
            "1,striped,0,1,0,0.25,0,4,180,1,0,0,0\n"
            "2,striped,0,0,0,0.25,0,4,0,1,0,0,0\n");
}

}  // namespace
}  // namespace synthoscope::simulator
