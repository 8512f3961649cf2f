// SPDX-License-Identifier: MIT
// camera_test.cpp — counts are a function of (camera, key, photons) alone, and obey the camera's
// figures.
#include "simulator/detector/camera.hpp"
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <cmath>
#include <limits>
#include "core/math/random.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/detector/camera_pixel.hpp"
#include "simulator/detector/exposure.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

Volume<float> ramp(const Extent3& extent, float low, float high) {
  Volume<float> photons{extent};
  const auto last = static_cast<float>(photons.voxels.size() - 1);
  for (std::size_t i = 0; i < photons.voxels.size(); ++i)
    photons.voxels[i] = low + (high - low) * static_cast<float>(i) / last;
  return photons;
}

template <class Count = std::uint16_t>
Volume<Count> record(CameraEpilogue& camera, const Volume<float>& photons) {
  Volume<Count> counts{photons.extent};
  camera.apply(whole(photons.extent), photons.view(), counts.view());
  return counts;
}

/// A box of a volume as a volume of its own.
Volume<float> cut(const Volume<float>& from, const Box3& box) {
  Volume<float> part{box.size};
  MemorySource{from.view()}.read(box, part.view());
  return part;
}

// The golden numbers were computed apart, with scipy.stats.poisson.ppf and norm.ppf.
TEST(Camera, KeepsThePromisedNumbers) {
  const Extent3 extent{1, 2, 8};
  CameraEpilogue camera{{}, {42, 3, 1}, extent};
  const auto counts = record(camera, ramp(extent, 0, 3000));
  const std::vector<std::uint16_t> golden{103,  487,  775,  1186, 1468, 1836, 2120, 2586,
                                          2768, 3133, 3578, 3780, 4114, 4483, 4782, 5070};
  EXPECT_EQ(counts.voxels, golden);
}

TEST(Camera, TakesItsDrawsFromThePromisedStagesAndCounters) {
  CameraSpec spec;
  const Extent3 extent{3, 5, 7};
  const auto photons = ramp(extent, 0, 500);
  CameraEpilogue camera{spec, {7, 11, 13}, extent};
  const auto counts = record(camera, photons);
  const RandomStream maps{7, RandomStage::camera_maps}, shot{7, RandomStage::shot_noise},
      read{7, RandomStage::read_noise};
  for (std::uint64_t voxel = 0; voxel < 105; ++voxel) {
    const auto first = maps.block(voxel % 35, 0), second = maps.block(voxel % 35, 1);
    const auto normal = [](const PhiloxBlock& b, std::size_t word) {
      return normal_quantile(uniform52(b[word], b[word + 1]));
    };
    const PixelTraits traits{static_cast<float>(100 + 2 * normal(first, 0)),
                             static_cast<float>(2 + 2 * 0.01 * normal(first, 2)),
                             static_cast<float>(1.2 + 1.2 * 0.2 * normal(second, 0))};
    const auto s = shot.block(voxel, 0, 11, 13), r = read.block(voxel, 0, 11, 13);
    const double electrons = static_cast<double>(poisson(
        0.85 * static_cast<double>(photons.voxels[voxel]) + 1.03 * 0.1, uniform52(s[0], s[1])));
    const double read_out = electrons + traits.read_noise_electrons * normal(r, 0);
    EXPECT_EQ(counts.voxels[voxel],
              std::floor(traits.offset_dn + traits.gain_dn_per_electron * read_out + 0.5))
        << voxel;
  }
}

struct CutCase {
  const char* name;
  Extent3 step;
  int threads;
};
constexpr CutCase kCuts[] = {
    {"planes_on_one_thread", {1, 33, 29}, 1},       {"planes_on_two_threads", {1, 33, 29}, 2},
    {"planes_on_seven_threads", {1, 33, 29}, 7},    {"odd_boxes_on_seven_threads", {2, 7, 5}, 7},
    {"single_voxels_on_two_threads", {1, 1, 1}, 2},
};

/// What `camera` makes of boxes that come from several threads; the sizes of a cut times `bin`.
std::vector<std::uint16_t> recorded_in_boxes(CameraEpilogue& camera, const Volume<float>& photons,
                                             const CutCase& cut_case, std::int64_t bin = 1) {
  const Extent3 step{cut_case.step.z, cut_case.step.y * bin, cut_case.step.x * bin};
  const Extent3& extent = photons.extent;
  std::vector<Box3> boxes;
  for (std::int64_t z = 0; z < extent.z; z += step.z)
    for (std::int64_t y = 0; y < extent.y; y += step.y)
      for (std::int64_t x = 0; x < extent.x; x += step.x)
        boxes.push_back(intersection({{z, y, x}, step}, whole(extent)));
  Volume<std::uint16_t> counts{{extent.z, extent.y / bin, extent.x / bin}};
  MemorySink sink{counts.view()};
  const tbb::global_control crowd{tbb::global_control::max_allowed_parallelism, 7};
  TaskPool pool{cut_case.threads};
  pool.for_each(static_cast<std::int64_t>(boxes.size()), [&](std::int64_t i) {
    const Box3& box = boxes[static_cast<std::size_t>(i)];
    const Box3 made{{box.origin.z, box.origin.y / bin, box.origin.x / bin},
                    {box.size.z, box.size.y / bin, box.size.x / bin}};
    Volume<std::uint16_t> part{made.size};
    camera.apply(box, cut(photons, box).view(), part.view());
    sink.write(made, part.view());
  });
  return counts.voxels;
}

class CameraCuts : public testing::TestWithParam<CutCase> {};

TEST_P(CameraCuts, DoNotChangeASingleCountOfAnEmccd) {
  const Extent3 extent{6, 33, 29};
  const auto photons = ramp(extent, 0, 200);
  CameraEpilogue camera{typical_camera(CameraKind::emccd), {5}, extent};
  EXPECT_EQ(recorded_in_boxes(camera, photons, GetParam()), record(camera, photons).voxels);
}

TEST_P(CameraCuts, DoNotChangeASingleCountOfBinnedPixels) {
  for (const CameraKind kind : {CameraKind::scmos, CameraKind::ccd, CameraKind::emccd}) {
    CameraSpec spec = typical_camera(kind);
    spec.binning = 2;
    const Extent3 extent{3, 66, 58}, binned{3, 33, 29};
    const auto photons = ramp(extent, 0, 200);
    CameraEpilogue camera{spec, {5}, extent};
    Volume<std::uint16_t> at_once{binned};
    camera.apply(whole(extent), photons.view(), at_once.view());
    EXPECT_EQ(recorded_in_boxes(camera, photons, GetParam(), 2), at_once.voxels)
        << name_in(kCameraKindNames, kind);
  }
}

TEST_P(CameraCuts, DoNotChangeASingleCount) {
  const Extent3 extent{6, 33, 29};
  const auto photons = ramp(extent, 0, 2000);
  CameraEpilogue camera{{}, {5}, extent};
  const auto at_once = record(camera, photons);

  EXPECT_EQ(recorded_in_boxes(camera, photons, GetParam()), at_once.voxels);
  EXPECT_EQ(camera.report().voxels, 2 * volume(extent));
}

INSTANTIATE_TEST_SUITE_P(Cuts, CameraCuts, testing::ValuesIn(kCuts), test::kCaseName);

TEST(Camera, RoundsPhotonsToWhatAFileStoresBeforeItRecordsThem) {
  const Extent3 extent{1, 16, 16};
  const auto photons = ramp(extent, 10, 300);
  Volume<double> fine{extent};
  for (std::size_t i = 0; i < fine.voxels.size(); ++i)
    fine.voxels[i] = static_cast<double>(photons.voxels[i]) * (1 + 1e-9);
  CameraEpilogue camera{{}, {5}, extent};
  Volume<std::uint16_t> counts{extent};
  camera.apply(whole(extent), fine.view(), counts.view());
  EXPECT_EQ(counts.voxels, record(camera, photons).voxels);
}

TEST(Camera, GivesOtherNoiseToOtherSeedsFramesAndChannels) {
  const Extent3 extent{1, 32, 32};
  CameraSpec spec;
  spec.offset_spread_dn = spec.gain_spread = spec.read_noise_spread = 0;
  const auto photons = ramp(extent, 100, 200);
  const auto of = [&](const ExposureKey& key) {
    CameraEpilogue camera{spec, key, extent};
    return record(camera, photons).voxels;
  };
  const auto base = of({1, 0, 0});
  for (const ExposureKey& key :
       {ExposureKey{2, 0, 0}, ExposureKey{1, 1, 0}, ExposureKey{1, 0, 1}}) {
    const auto other = of(key);
    int same = 0;
    for (std::size_t i = 0; i < base.size(); ++i) same += base[i] == other[i];
    EXPECT_LT(same, 60);  // of 1024; by chance about 15
  }
}

struct TransferCase {
  const char* name;
  CameraKind kind;
  double em_gain, gain, read_noise, offset, spread;
  float brightest = 4000;  ///< photons
  double dark_current = 1.03;
};
constexpr TransferCase kTransfers[] = {
    {"plain_pixels", CameraKind::scmos, 1, 2, 1.2, 100, 0},
    {"differing_pixels", CameraKind::scmos, 1, 2, 1.2, 100, 0.2},
    {"fine_gain", CameraKind::scmos, 1, 0.46, 1.6, 120, 0},
    {"noisy_camera", CameraKind::scmos, 1, 5, 6, 500, 0},
    {"ccd", CameraKind::ccd, 1, 0.1, 10, 100, 0},
    {"emccd", CameraKind::emccd, 300, 0.064, 50, 200, 0, 1000, 0.001},
    {"emccd_of_low_gain", CameraKind::emccd, 10, 0.5, 20, 200, 0, 2000},
};

class PhotonTransfer : public testing::TestWithParam<TransferCase> {};

TEST_P(PhotonTransfer, GivesBackGainReadNoiseAndOffsetWithinOnePercent) {
  const TransferCase& c = GetParam();
  CameraSpec spec;
  spec.kind = c.kind;
  spec.dark_current_electrons_per_second = c.dark_current;
  spec.em_gain = c.em_gain;
  spec.gain_dn_per_electron = c.gain;
  spec.read_noise_electrons = c.read_noise;
  spec.read_noise_spread = c.spread;
  spec.gain_spread = 0.05 * c.spread;
  spec.offset_dn = c.offset;
  const Extent3 pair{2, 400, 400};
  const double pixels = 400 * 400;

  // Mean signal and temporal variance, from the sum and difference of two exposures
  const auto measure = [&](float photons) {
    CameraEpilogue camera{spec, {99, static_cast<std::uint32_t>(photons)}, pair};
    Volume<float> flat{pair};
    for (float& v : flat.voxels) v = photons;
    const auto counts = record(camera, flat);
    double sum = 0, squares = 0;
    for (std::int64_t y = 0; y < 400; ++y)
      for (std::int64_t x = 0; x < 400; ++x) {
        const double a = counts.view()(0, y, x), b = counts.view()(1, y, x);
        sum += a + b;
        squares += (a - b) * (a - b);
      }
    return std::pair{sum / (2 * pixels), squares / (2 * pixels)};
  };
  const auto [dark_mean, dark_variance] = measure(0);
  double xy = 0, xx = 0;
  for (const float part : {0.05f, 0.125f, 0.25f, 0.5f, 1.0f}) {
    const auto [mean, variance] = measure(part * c.brightest);
    // Weighted by 1 / variance^2, the precision of a variance
    const double weight = 1 / (variance * variance);
    xy += weight * (mean - dark_mean) * (variance - dark_variance);
    xx += weight * (mean - dark_mean) * (mean - dark_mean);
  }
  // The slope is K g F^2, F^2 the excess noise of the multiplication
  const double excess = 2 - 1 / c.em_gain, amplified = c.em_gain * excess;
  const double gain = xy / xx / amplified, dark = c.dark_current * 0.1;
  const double read_noise =
      std::sqrt((dark_variance - 1.0 / 12) / (gain * gain) - dark * c.em_gain * amplified);
  EXPECT_NEAR(gain / c.gain, 1, 0.01);
  EXPECT_NEAR(read_noise / (c.read_noise * std::sqrt(1 + c.spread * c.spread)), 1, 0.01);
  EXPECT_NEAR((dark_mean - gain * c.em_gain * dark) / c.offset, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Cameras, PhotonTransfer, testing::ValuesIn(kTransfers), test::kCaseName);

TEST(Camera, OfAnEmccdHasTheExcessNoiseOfItsModel) {
  CameraSpec spec = typical_camera(CameraKind::emccd);
  spec.quantum_efficiency = 1;
  spec.dark_current_electrons_per_second = spec.clock_induced_charge_electrons = 0;
  spec.read_noise_electrons = 0;
  spec.gain_dn_per_electron = 0.5;
  const Extent3 extent{1, 600, 600};
  for (const float photons : {1.0f, 10.0f, 100.0f}) {
    CameraEpilogue camera{spec, {3, static_cast<std::uint32_t>(photons)}, extent};
    Volume<float> flat{extent};
    for (float& v : flat.voxels) v = photons;
    double sum = 0, squares = 0;
    for (const auto count : record(camera, flat).voxels) {
      const double electrons = (count - spec.offset_dn) / spec.gain_dn_per_electron;
      sum += electrons;
      squares += electrons * electrons;
    }
    const double pixels = 600 * 600, mean = sum / pixels;
    const double variance = squares / pixels - mean * mean - 1.0 / 12 / 0.25;
    EXPECT_NEAR(mean / (300 * photons), 1, 0.01) << photons;
    EXPECT_NEAR(variance / (300.0 * 300.0 * photons) / (2 - 1.0 / 300), 1, 0.02) << photons;
  }
}

TEST(Camera, GivesRowsANoiseOfTheirOwnInEveryFrame) {
  CameraSpec spec;
  spec.gain_spread = spec.offset_spread_dn = spec.read_noise_spread = 0;
  spec.read_noise_electrons = 0;
  spec.dark_current_electrons_per_second = 0;
  spec.row_noise_electrons = 10;
  const Extent3 extent{40, 300, 4};
  CameraEpilogue camera{spec, {5}, extent};
  const auto counts = record(camera, Volume<float>{extent});
  double sum = 0, squares = 0, between = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y) {
      const double first = counts.view()(z, y, 0);
      for (std::int64_t x = 1; x < extent.x; ++x) EXPECT_EQ(counts.view()(z, y, x), first);
      sum += first;
      squares += (first - 100) * (first - 100);
      if (z > 0) between += (first - 100) * (counts.view()(z - 1, y, 0) - 100.0);
    }
  const double rows = 40 * 300;
  EXPECT_NEAR(sum / rows, 100, 5 * 20 / std::sqrt(rows));
  EXPECT_NEAR(squares / rows / (20 * 20), 1, 5 * std::sqrt(2 / rows));
  EXPECT_NEAR(between / rows / (20 * 20), 0, 5 / std::sqrt(rows));
}

struct BinCase {
  const char* name;
  CameraKind kind;
  double mean, variance;  ///< of 3 x 3 pixels of 100 electrons, in DN
};
// Gain 2 and read noise 6: charge is read once, counts are read nine times
constexpr BinCase kBins[] = {
    {"ccd", CameraKind::ccd, 50 + 2 * 900, 4 * (900 + 36) + 1.0 / 12},
    {"scmos", CameraKind::scmos, 9 * (50 + 2 * 100), 9 * (4 * (100 + 36) + 1.0 / 12)},
};

class Binning : public testing::TestWithParam<BinCase> {};

TEST_P(Binning, AddsChargeBeforeItIsReadOrCountsBehindIt) {
  CameraSpec spec = typical_camera(GetParam().kind);
  spec.quantum_efficiency = 1;
  spec.dark_current_electrons_per_second = 0;
  spec.gain_dn_per_electron = 2;
  spec.gain_spread = spec.read_noise_spread = spec.offset_spread_dn = 0;
  spec.read_noise_electrons = 6;
  spec.offset_dn = 50;
  spec.bit_depth = 16;
  spec.binning = 3;
  const Extent3 extent{2, 900, 900};
  CameraEpilogue camera{spec, {8}, extent};
  ASSERT_EQ(camera.format(extent).extent, (Extent3{2, 300, 300}));
  Volume<float> flat{extent};
  for (float& v : flat.voxels) v = 100;
  Volume<std::uint16_t> counts{{2, 300, 300}};
  camera.apply(whole(extent), flat.view(), counts.view());
  double sum = 0, squares = 0;
  for (const double v : counts.voxels) {
    sum += v;
    squares += v * v;
  }
  const double pixels = 2 * 300 * 300, mean = sum / pixels;
  EXPECT_NEAR(mean, GetParam().mean, 0.5);
  EXPECT_NEAR((squares / pixels - mean * mean) / GetParam().variance, 1, 0.015);
}

INSTANTIATE_TEST_SUITE_P(Cameras, Binning, testing::ValuesIn(kBins), test::kCaseName);

TEST(Camera, ClipsTheBinnedSumAtTheRegisterOrAtTheLastNumberAndSaysSo) {
  CameraSpec spec = typical_camera(CameraKind::ccd);
  spec.binning = 2;
  spec.register_full_well_electrons = 1000;
  spec.read_noise_electrons = 0;
  const Extent3 extent{1, 2, 4};
  Volume<float> photons{extent};
  photons.voxels = {5000, 5000, 0, 0, 5000, 5000, 0, 0};
  Volume<std::uint16_t> counts{{1, 1, 2}};
  CameraEpilogue ccd{spec, {1}, extent};
  ccd.apply(whole(extent), photons.view(), counts.view());
  EXPECT_EQ(counts.voxels[0], 200);  // 100 DN and 0.1 DN of each of 1000 electrons
  EXPECT_EQ(ccd.report().full_wells, 1);
  EXPECT_EQ(ccd.report().voxels, 2);
  EXPECT_EQ(saturation_warning(ccd.report()),
            "the camera saturated: 0 counts were clipped at the largest value and 1 charges at the "
            "full well of pixel or register, of 2 pixels (50 %); record less light, or lower "
            "camera.em_gain or camera.gain_dn_per_electron");
  EXPECT_EQ(saturation_warning({.voxels = 9}), "");

  spec = {};
  spec.binning = 2;
  spec.bit_depth = 12;
  CameraEpilogue scmos{spec, {1}, extent};
  photons.voxels = {1800, 1800, 0, 0, 0, 0, 0, 0};
  scmos.apply(whole(extent), photons.view(), counts.view());
  EXPECT_EQ(counts.voxels[0], 4095);
  EXPECT_EQ(scmos.report().clipped_high, 1);
}

TEST(Camera, RefusesAFieldThatItsBinningDoesNotDivide) {
  CameraSpec spec;
  spec.binning = 2;
  EXPECT_THROW((CameraEpilogue{spec, {1}, {1, 4, 5}}), InvalidSpec);
  EXPECT_THROW((CameraEpilogue{spec, {1}, {1, 3, 4}}), InvalidSpec);
}

TEST(Camera, ClipsAtTheFullWellAndAtTheLastNumberAndSaysSo) {
  CameraSpec spec;
  spec.full_well_electrons = 1000;
  spec.gain_spread = spec.read_noise_spread = spec.offset_spread_dn = 0;
  spec.read_noise_electrons = 0;
  const Extent3 extent{1, 1, 4};
  Volume<float> photons{extent};
  photons.voxels = {0, 100, 1e4f, 1e30f};
  CameraEpilogue deep{spec, {1}, extent};
  const auto counts = record(deep, photons);
  EXPECT_EQ(counts.voxels[2], 2100);
  EXPECT_EQ(counts.voxels[3], 2100);
  EXPECT_EQ(deep.report().full_wells, 2);
  EXPECT_EQ(deep.report().clipped_high, 0);

  spec.bit_depth = 8;
  CameraEpilogue shallow{spec, {1}, extent};
  EXPECT_EQ(shallow.format(extent).type, PixelType::uint8);
  const auto bytes = record<std::uint8_t>(shallow, photons);
  EXPECT_EQ(bytes.voxels[3], 255);
  EXPECT_EQ(shallow.report().clipped_high, 3);  // 85 electrons at 2 DN on 100 DN pass 255 too
}

TEST(Camera, ClipsReadNoiseBelowZeroAndSaysSo) {
  CameraSpec spec;
  spec.offset_dn = spec.offset_spread_dn = 0;
  spec.read_noise_electrons = 5;
  const Extent3 extent{1, 50, 50};
  CameraEpilogue camera{spec, {1}, extent};
  record(camera, Volume<float>{extent});
  EXPECT_NEAR(static_cast<double>(camera.report().clipped_low), 1160, 100);
}

TEST(Camera, TakesNegativePhotonsForNoneAndCountsThem) {
  const Extent3 extent{1, 1, 3};
  Volume<float> tiny{extent}, none{extent};
  tiny.voxels = {-1e-6f, 0, -0.25f};
  CameraEpilogue camera{{}, {1}, extent}, other{{}, {1}, extent};
  EXPECT_EQ(record(camera, tiny).voxels, record(other, none).voxels);
  EXPECT_EQ(camera.report().negative_photons, 2);
  EXPECT_EQ(camera.report().most_negative_photons, -0.25f);
}

TEST(Camera, RefusesPhotonsThatAreNoNumber) {
  const Extent3 extent{2, 2, 2};
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Volume<float> photons{extent};
    photons.voxels[6] = bad;
    CameraEpilogue camera{{}, {1}, extent};
    try {
      record(camera, photons);
      FAIL() << "accepted";
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.what(),
                fmt::format("record photons: voxel (1, 1, 0) holds {}, the camera needs finite "
                            "numbers; replace it before recording",
                            bad));
    }
  }
}

TEST(Camera, RefusesAnotherVolumeThanItsOwn) {
  CameraEpilogue camera{{}, {1}, {1, 4, 4}};
  EXPECT_THROW((void)camera.format({1, 4, 5}), InvalidSpec);
  EXPECT_THROW((CameraEpilogue{{}, {1}, {0, 4, 4}}), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
