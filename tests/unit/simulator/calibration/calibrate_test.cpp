// SPDX-License-Identifier: MIT
// calibrate_test.cpp — cameras that we record with come back from their own dark and flat frames.
#include "simulator/calibration/calibrate.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <list>
#include <random>
#include "core/stream/memory_stream.hpp"
#include "simulator/calibration/camera_toml.hpp"
#include "simulator/calibration/pixel_statistics.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Frames that a camera records of even light, and of none.
class Bench {
 public:
  explicit Bench(const CameraSpec& camera, Extent3 frames = {20, 96, 128})
      : camera_{camera}, frames_{frames} {}

  /// `tilt` is how much more light one side has than the other; `drift` how much more the last
  /// frame than the first.
  Bench& flat(float photons, double seconds = 0, float tilt = 0, float drift = 0) {
    record(flats_, photons, seconds, tilt, drift);
    return *this;
  }
  Bench& dark(double seconds = 0) {
    record(darks_, 0, seconds, 0, 0);
    return *this;
  }
  Calibration measured(CalibrationRequest request = {}) {
    request.kind = camera_.kind;
    return calibrate(darks_, flats_, request, context_.context);
  }
  std::vector<NamedStack> darks_, flats_;

 private:
  void record(std::vector<NamedStack>& stacks, float light, double seconds, float tilt,
              float drift) {
    Volume<float> photons{frames_};
    auto* value = photons.voxels.data();
    for (std::int64_t z = 0; z < frames_.z; ++z)
      for (std::int64_t y = 0; y < frames_.y; ++y)
        for (std::int64_t x = 0; x < frames_.x; ++x)
          *value++ = light *
                     (1 + tilt * (static_cast<float>(x) / static_cast<float>(frames_.x) - 0.5F)) *
                     (1 + drift * static_cast<float>(z) / static_cast<float>(frames_.z));
    CameraSpec exposed = camera_;
    if (seconds > 0) exposed.exposure_seconds = seconds;
    CameraEpilogue epilogue{exposed, {7, ++exposure_}, frames_};
    auto& counts = counts_.emplace_back(frames_);
    epilogue.apply(whole(frames_), photons.view(), counts.view());
    auto& source = sources_.emplace_back(counts.view());
    stacks.push_back({"stack " + std::to_string(exposure_), &source});
    if (seconds > 0) stacks.back().exposure_seconds = seconds;
  }

  CameraSpec camera_;
  Extent3 frames_;
  std::uint32_t exposure_ = 0;
  std::list<Volume<std::uint16_t>> counts_;
  std::list<MemorySource> sources_;
  test::TestContext context_;
};

double correlation(const std::vector<float>& a, const std::vector<float>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double da = static_cast<double>(a[i]) - mean_a, db = static_cast<double>(b[i]) - mean_b;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return ab / std::sqrt(aa * bb);
}

struct CameraOf {
  const char* name;
  CameraSpec (*camera)();
  std::optional<double> em_gain;
  float brightest;
};
const CameraOf kCameras[] = {
    {"scmos", [] { return CameraSpec{}; }, {}, 15000},
    {"quiet_scmos",
     [] {
       CameraSpec camera;
       camera.read_noise_electrons = 0.5;
       camera.gain_dn_per_electron = 8;
       camera.read_noise_spread = 0.1;
       return camera;
     },
     {},
     3000},
    {"ccd", [] { return typical_camera(CameraKind::ccd); }, {}, 30000},
    {"emccd",
     [] {
       CameraSpec camera = typical_camera(CameraKind::emccd);
       camera.offset_dn = 300;
       return camera;
     },
     300, 1500},
};
class CalibratedCamera : public testing::TestWithParam<CameraOf> {};

TEST_P(CalibratedCamera, HasTheGainReadNoiseAndOffsetThatItWasRecordedWithWithinOnePercent) {
  // Of darks of one exposure, the noise of the dark charge is read noise
  CameraSpec camera = GetParam().camera();
  camera.dark_current_electrons_per_second = camera.clock_induced_charge_electrons = 0;
  Bench bench{camera, {32, 192, 192}};
  bench.dark();
  for (const float part : {0.01F, 0.05F, 0.2F, 0.5F, 1.0F}) bench.flat(part * GetParam().brightest);
  CalibrationRequest request;
  request.em_gain = GetParam().em_gain;
  const Calibration found = bench.measured(request);
  EXPECT_NEAR(found.gain.value / camera.gain_dn_per_electron, 1, 0.01);
  EXPECT_NEAR(found.gain.value, camera.gain_dn_per_electron, 5 * found.gain.error);
  EXPECT_NEAR(found.read_noise.value / camera.read_noise_electrons, 1, 0.01);
  EXPECT_NEAR(found.camera.read_noise_spread, camera.read_noise_spread, 0.02);
  EXPECT_NEAR(found.offset.value / camera.offset_dn, 1, 0.01);
  EXPECT_NEAR(found.offset_spread_dn, camera.offset_spread_dn, 0.05);
  EXPECT_NEAR(found.response_spread, camera.gain_spread, 0.001);
  EXPECT_FALSE(found.saturation_dn.has_value());
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
}

INSTANTIATE_TEST_SUITE_P(Cameras, CalibratedCamera, testing::ValuesIn(kCameras), test::kCaseName);

TEST(CalibratedMaps, AreThoseOfTheCameraThatRecorded) {
  CameraSpec camera;
  camera.column_gain_spread = 0.02;
  Bench bench{camera, {100, 64, 64}};
  const Calibration found = bench.dark().flat(2000, 0, 0.3F).flat(10000, 0, 0.3F).measured();
  const CameraMaps real = make_camera_maps(camera, 7, 64, 64);
  EXPECT_GT(correlation(found.maps.offset_dn, real.offset_dn), 0.98);
  EXPECT_GT(correlation(found.maps.gain_dn_per_electron, real.gain_dn_per_electron), 0.99);
  // A pixel's noise is known to 1 / sqrt(2 x 50) of itself: half of its own spread
  EXPECT_GT(correlation(found.maps.read_noise_electrons, real.read_noise_electrons), 0.85);
}

TEST(CalibratedDarkCurrent, FollowsFromDarksOfSeveralExposures) {
  CameraSpec camera;
  camera.dark_current_electrons_per_second = 10;
  camera.dark_current_spread = 0.3;
  Bench bench{camera, {40, 96, 128}};
  const Calibration found =
      bench.dark(0.1).dark(2).dark(10).flat(1000, 0.1).flat(8000, 0.8).flat(4000, 0.4).measured();
  ASSERT_TRUE(found.dark_current.has_value());
  EXPECT_NEAR(found.dark_current->value / 10, 1, 0.01);
  EXPECT_NEAR(found.camera.dark_current_spread, 0.3, 0.01);
  EXPECT_NEAR(found.offset.value / 100, 1, 0.01);
  EXPECT_NEAR(found.read_noise.value / 1.2, 1,
              0.02);  // beside the noise of an electron in the dark
  EXPECT_LT(found.nonlinearity.value_or(1), 0.01);
  const CameraMaps real = make_camera_maps(camera, 7, 96, 128);
  EXPECT_GT(correlation(found.maps.dark_current, real.dark_current), 0.95);
}

TEST(CalibratedDarkCurrent, IsNotToldIfTheExposureOfADarkIsUnknown) {
  Bench first{{}, {4, 16, 16}}, last{{}, {4, 16, 16}};
  EXPECT_FALSE(can_determine_dark_current(first.dark().dark(2).dark(10).darks_));
  EXPECT_FALSE(can_determine_dark_current(last.dark(10).dark(2).dark().darks_));
  const auto reference = first.flat(1000).flat(8000).measured().camera.exposure_seconds;
  EXPECT_EQ(reference, 2);  // the shortest that is known
}

TEST(CalibratedSaturation, LeavesOutLevelsNearIt) {
  CameraSpec camera;
  camera.full_well_electrons = 10000;
  Bench bench{camera};
  const Calibration found =
      bench.dark().flat(1000).flat(4000).flat(7000).flat(10000).flat(30000).measured();
  ASSERT_TRUE(found.saturation_dn.has_value());
  EXPECT_NEAR(found.camera.full_well_electrons / 10000, 1, 0.02);
  EXPECT_NEAR(found.gain.value / 2, 1, 0.01);
  EXPECT_EQ(found.points.back().left_out, "no noise of light");
  EXPECT_EQ(found.points[4].left_out, "above 70 % of the saturation");
  EXPECT_TRUE(found.points[1].left_out.empty());
}

TEST(CalibratedSaturation, OfCountsTellsHowManyBitsThereAre) {
  CameraSpec camera;
  camera.bit_depth = 12;
  Bench bench{camera};
  const Calibration found = bench.dark().flat(500).flat(1000).flat(9000).measured();
  EXPECT_EQ(found.camera.bit_depth, 12);
  EXPECT_EQ(found.points.back().left_out, "counts pile up at the largest number");
  EXPECT_NEAR(found.gain.value / 2, 1, 0.01);
}

TEST(CalibratedPixels, ThatAreUnlikeTheOthersLeaveTheFiguresOfTheOthers) {
  CameraSpec camera;
  camera.dead_pixels = 0.02;
  camera.hot_pixels = 0.01;
  camera.hot_dark_current_electrons_per_second = 3000;
  Bench bench{camera, {40, 160, 160}};
  const Calibration found =
      bench.dark(0.1).dark(0.3).dark(1).flat(1000, 0.1).flat(4000, 0.1).flat(9000, 0.1).measured();
  EXPECT_NEAR(found.camera.gain_spread, 0.01, 0.001);
  EXPECT_NEAR(found.gain.value / 2, 1, 0.01);
  EXPECT_NEAR(found.read_noise.value / 1.2, 1, 0.02);
  // The dark charge that is taken off is noisy itself
  EXPECT_NEAR(found.camera.read_noise_spread, 0.2, 0.03);
  EXPECT_NEAR(found.offset.value / 100, 1, 0.001);
  EXPECT_NEAR(found.offset_spread_dn, 2, 0.1);
  EXPECT_NEAR(found.camera.dead_pixels, 0.02, 0.004);
  EXPECT_EQ(found.camera.dead_pixels, static_cast<double>(found.dead_pixels) / 25600);
  EXPECT_NEAR(static_cast<double>(found.hot_pixels) / 25600, 0.01, 0.003);
  // Most hot pixels are noisy too, in a tenth of a second
  EXPECT_NEAR(static_cast<double>(found.noisy_pixels) / 25600, 0.009, 0.004);
  ASSERT_EQ(found.warnings.size(), 3U);
  EXPECT_NE(found.warnings[1].find("much more noise than the others"), std::string::npos);
  EXPECT_NE(camera_toml(found).find("dead_pixels = 0.0"), std::string::npos);

  // The gain of pixels is that of the others, however many are dead
  const CameraMaps real = make_camera_maps(camera, 7, 160, 160);
  double ratio = 0, living = 0;
  for (std::size_t i = 0; i < real.gain_dn_per_electron.size(); ++i)
    if (real.gain_dn_per_electron[i] > 0) {
      ratio += static_cast<double>(found.maps.gain_dn_per_electron[i]) /
               static_cast<double>(real.gain_dn_per_electron[i]);
      ++living;
    }
  EXPECT_NEAR(ratio / living, 1, 0.005);
}

/// Counts of frames, `times` as large.
struct Multiplied {
  explicit Multiplied(const NamedStack& stack, int times) : counts{stack.source->extent()} {
    stack.source->read(whole(counts.extent), counts.view());
    for (auto& count : counts.voxels) count = static_cast<std::uint16_t>(count * times);
    named = {stack.name, &source};
  }
  Volume<std::uint16_t> counts;
  MemorySource source{counts.view()};
  NamedStack named;
};

TEST(CalibratedCounts, InTheUpperBitsHaveTheReadNoiseOfTheSameCountsInTheLowerOnes) {
  CameraSpec camera;
  camera.gain_dn_per_electron = 0.25;
  camera.read_noise_electrons = 2;
  camera.read_noise_spread = camera.offset_spread_dn = camera.gain_spread = 0;
  camera.dark_current_electrons_per_second = 0;
  camera.bit_depth = 12;
  Bench bench{camera, {30, 96, 96}};
  const Calibration lower = bench.dark().flat(500).flat(3000).flat(9000).measured();
  EXPECT_EQ(lower.step_dn, 1);
  EXPECT_TRUE(lower.warnings.empty()) << lower.warnings.front();

  const auto dark = Multiplied{bench.darks_[0], 16};
  std::list<Multiplied> flats;
  std::vector<NamedStack> named;
  for (const NamedStack& flat : bench.flats_) {
    flats.emplace_back(flat, 16);
    named.push_back(flats.back().named);
  }
  test::TestContext context;
  const Calibration upper = calibrate({dark.named}, named, {}, context.context);
  EXPECT_NEAR(upper.gain.value / (16 * lower.gain.value), 1, 1e-6);
  EXPECT_NEAR(upper.read_noise.value / lower.read_noise.value, 1, 1e-3);
  EXPECT_NEAR(upper.read_noise.value, 2, 0.05);  // 2.28 with the rounding of a step of 1
  ASSERT_EQ(upper.warnings.size(), 1U) << upper.warnings.back();
  EXPECT_EQ(upper.warnings[0].find("all counts differ by multiples of 16 DN"), 0U)
      << upper.warnings[0];
}

TEST(CalibratedLine, ThroughOneLevelOfLightIsWarnedAbout) {
  Bench bench{CameraSpec{}};
  const auto says_so = [](const Calibration& found) {
    return std::any_of(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("have the same level of light") != std::string::npos;
    });
  };
  EXPECT_TRUE(says_so(bench.dark().flat(4000).measured()));
  EXPECT_TRUE(says_so(bench.flat(4100).flat(3900).measured()));
  EXPECT_FALSE(says_so(bench.flat(8000).measured()));
}

TEST(CalibratedNoise, ThatRoundingHidesIsWarnedAbout) {
  CameraSpec camera;
  camera.read_noise_electrons = 1.4;
  const auto says_so = [](const Calibration& found) {
    return std::any_of(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("is hidden by the rounding") != std::string::npos;
    });
  };
  for (const double gain : {0.1, 2.0}) {
    camera.gain_dn_per_electron = gain;
    Bench bench{camera};
    EXPECT_EQ(says_so(bench.dark().flat(3000).flat(9000).measured()), gain == 0.1) << gain;
  }
}

TEST(CalibratedLamp, OfSteadyLightIsNotSaidToDriftWhereFieldsAreSmall) {
  for (const std::int64_t frames : {2, 4, 30}) {
    Bench bench{CameraSpec{}, {frames, 24, 24}};
    const Calibration found = bench.dark().flat(30).flat(100).flat(300).measured();
    for (const auto& warning : found.warnings)
      EXPECT_EQ(warning.find("drifts"), std::string::npos) << frames << " frames: " << warning;
  }
}

TEST(CalibratedBias, OfNoExposureLeavesTheTypicalOne) {
  Bench bench{CameraSpec{}};
  bench.dark().flat(3000).flat(9000);
  bench.darks_[0].exposure_seconds = 0;
  EXPECT_EQ(bench.measured().camera.exposure_seconds, 0.1);
  for (auto& flat : bench.flats_) flat.exposure_seconds = 0.02;
  EXPECT_EQ(bench.measured().camera.exposure_seconds, 0.02);
}

TEST(CalibratedLamp, ThatDriftsIsTakenOffAndTold) {
  Bench bench{CameraSpec{}};
  const Calibration found = bench.dark().flat(3000, 0, 0, 0.2F).flat(9000, 0, 0, 0.2F).measured();
  EXPECT_NEAR(found.gain.value / 2, 1, 0.01);
  ASSERT_EQ(found.warnings.size(), 2U) << found.warnings.back();
  EXPECT_NE(found.warnings[0].find("drifts by 17 %"), std::string::npos) << found.warnings[0];
}

TEST(CalibratedToml, IsReadBackAsTheCameraThatWasMeasured) {
  Bench bench{CameraSpec{}};
  const Calibration found = bench.dark().flat(3000).flat(9000).measured();
  const std::string text = "[camera]\n" + camera_toml(found);
  const CameraSpec read = parse_scene(text, "camera.toml").camera;
  EXPECT_NEAR(read.gain_dn_per_electron, found.camera.gain_dn_per_electron, 1e-5);
  EXPECT_NEAR(read.read_noise_electrons, found.camera.read_noise_electrons, 1e-5);
  EXPECT_NEAR(read.offset_dn, found.camera.offset_dn, 1e-3);
  EXPECT_EQ(read.dark_current_electrons_per_second, 0);
  EXPECT_EQ(read.kind, CameraKind::scmos);
  EXPECT_EQ(read.bit_depth, 16);
}

struct RefusalCase {
  const char* name;
  void (*spoil)(Bench&);
  const char* message;
};
constexpr RefusalCase kRefusals[] = {
    {"no_flats", [](Bench& b) { b.dark(); }, "at least one of each"},
    {"no_light", [](Bench& b) { b.dark().flat(0); }, "no flat is noticeably brighter"},
    {"swapped",
     [](Bench& b) {
       b.dark().flat(500).flat(5000);
       std::swap(b.darks_[0], b.flats_[0]);
     },
     "stack 1, a flat, has a mean of 100"},
    {"too_bright", [](Bench& b) { b.dark().flat(90000).flat(200000); }, "all flats saturate"},
};
class CalibrationRefuses : public testing::TestWithParam<RefusalCase> {};

TEST_P(CalibrationRefuses, FramesThatTellNothing) {
  Bench bench{CameraSpec{}, {4, 48, 48}};
  GetParam().spoil(bench);
  test::expect_failure<InvalidInput>([&] { bench.measured(); }, {GetParam().message});
}

INSTANTIATE_TEST_SUITE_P(Frames, CalibrationRefuses, testing::ValuesIn(kRefusals), test::kCaseName);

/// Frames that nobody may read.
class Sealed final : public Source {
 public:
  [[nodiscard]] Extent3 extent() const override { return {4, 16, 16}; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
  void read(const Box3&, VoxelView) override { FAIL() << "a frame was read"; }
};

TEST(CalibrationRefusals, OfRequestsComeBeforeAFrameIsRead) {
  const auto asked = [](auto change) {
    CalibrationRequest request;
    change(request);
    return request;
  };
  struct Case {
    CalibrationRequest request;
    std::optional<double> flat_seconds;
    const char* message;
  };
  using R = CalibrationRequest;
  const Case cases[] = {
      {asked([](R& r) { r.bit_depth = 40; }), {}, "--bit-depth is 40; give from 1 up to 16"},
      {asked([](R& r) { r.quantum_efficiency = 3; }),
       {},
       "--quantum-efficiency is 3; give above 0"},
      {asked([](R& r) { r.quantum_efficiency = 0; }), {}, "--quantum-efficiency is 0"},
      {asked([](R& r) {
         r.kind = CameraKind::emccd;
         r.em_gain = 0.5;
       }),
       {},
       "--em-gain is 0.5; give from 1"},
      {asked([](R& r) { r.em_gain = 20; }), {}, "--em-gain is for cameras of --kind emccd"},
      {{}, 0, "--flat-exposures gives 0 s for flat"},
  };
  Sealed frames;
  test::TestContext context;
  for (const Case& c : cases)
    test::expect_failure<InvalidSpec>(
        [&] {
          calibrate({{"dark", &frames, {}}}, {{"flat", &frames, c.flat_seconds}}, c.request,
                    context.context);
        },
        {c.message});
}

TEST(CalibrationRefusals, NameWhatIsMissing) {
  Bench one_frame{CameraSpec{}, {1, 16, 16}};
  one_frame.dark().flat(500);
  test::expect_failure<InvalidInput>([&] { one_frame.measured(); },
                                     {"stack 1 has 1 frame, but noise is measured between frames"});

  Bench small{CameraSpec{}, {2, 16, 16}}, large{CameraSpec{}, {2, 16, 24}};
  small.dark();
  small.flats_ = large.flat(500).flats_;
  test::expect_failure<InvalidInput>([&] { small.measured(); }, {"16x24", "16x16"});

  Bench emccd{typical_camera(CameraKind::emccd), {4, 16, 16}};
  emccd.dark().flat(100);
  test::expect_failure<InvalidSpec>([&] { emccd.measured(); }, {"--em-gain"});
}

}  // namespace
}  // namespace synthoscope::simulator
