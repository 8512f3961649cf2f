// SPDX-License-Identifier: MIT
// camera_test.cpp — counts are a function of (camera, key, photons) alone, and obey the camera's
// figures.
#include "simulator/detector/camera.hpp"
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <cmath>
#include <limits>
#include "core/memory_stream.hpp"
#include "core/task_pool.hpp"
#include "simulator/detector/camera_pixel.hpp"
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
    const auto expected = expose_pixel(photons.voxels[voxel], {0.85, 1.03 * 0.1, 30000, 65535},
                                       traits, {uniform52(s[0], s[1]), uniform52(r[0], r[1])});
    EXPECT_EQ(counts.voxels[voxel], expected.dn) << voxel;
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

class CameraCuts : public testing::TestWithParam<CutCase> {};

TEST_P(CameraCuts, DoNotChangeASingleCount) {
  const Extent3 extent{6, 33, 29};
  const auto photons = ramp(extent, 0, 2000);
  CameraEpilogue camera{{}, {5}, extent};
  const auto at_once = record(camera, photons);

  const Extent3 step = GetParam().step;
  std::vector<Box3> boxes;
  for (std::int64_t z = 0; z < extent.z; z += step.z)
    for (std::int64_t y = 0; y < extent.y; y += step.y)
      for (std::int64_t x = 0; x < extent.x; x += step.x)
        boxes.push_back(intersection({{z, y, x}, step}, whole(extent)));
  Volume<std::uint16_t> counts{extent};
  MemorySink sink{counts.view()};
  const tbb::global_control crowd{tbb::global_control::max_allowed_parallelism, 7};
  TaskPool pool{GetParam().threads};
  pool.for_each(static_cast<std::int64_t>(boxes.size()), [&](std::int64_t i) {
    const Box3& box = boxes[static_cast<std::size_t>(i)];
    Volume<std::uint16_t> part{box.size};
    camera.apply(box, cut(photons, box).view(), part.view());
    sink.write(box, part.view());
  });
  EXPECT_EQ(counts.voxels, at_once.voxels);
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
  double gain, read_noise, offset, spread;
};
constexpr TransferCase kTransfers[] = {
    {"plain_pixels", 2, 1.2, 100, 0},
    {"differing_pixels", 2, 1.2, 100, 0.2},
    {"fine_gain", 0.46, 1.6, 120, 0},
    {"noisy_camera", 5, 6, 500, 0},
};

class PhotonTransfer : public testing::TestWithParam<TransferCase> {};

TEST_P(PhotonTransfer, GivesBackGainReadNoiseAndOffsetWithinOnePercent) {
  const TransferCase& c = GetParam();
  CameraSpec spec;
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
  for (const float photons : {200.0f, 500.0f, 1000.0f, 2000.0f, 4000.0f}) {
    const auto [mean, variance] = measure(photons);
    // Weighted by 1 / variance^2, the precision of a variance
    const double weight = 1 / (variance * variance);
    xy += weight * (mean - dark_mean) * (variance - dark_variance);
    xx += weight * (mean - dark_mean) * (mean - dark_mean);
  }
  const double gain = xy / xx, dark = 1.03 * 0.1;
  const double read_noise = std::sqrt((dark_variance - 1.0 / 12) / (gain * gain) - dark);
  EXPECT_NEAR(gain / c.gain, 1, 0.01);
  EXPECT_NEAR(read_noise / (c.read_noise * std::sqrt(1 + c.spread * c.spread)), 1, 0.01);
  EXPECT_NEAR((dark_mean - gain * dark) / c.offset, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Cameras, PhotonTransfer, testing::ValuesIn(kTransfers), test::kCaseName);

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
