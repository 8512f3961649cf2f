// SPDX-License-Identifier: MIT
// counting_camera_test.cpp — cameras whose pixels count photons: means, variances, full counters.
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/detector/camera_presets.hpp"
#include "tests/support/camera_case.hpp"

namespace synthoscope::simulator {
namespace {

template <class Count = std::uint16_t>
Volume<Count> record(CameraEpilogue& camera, const Volume<float>& photons) {
  Volume<Count> counts{photons.extent};
  camera.apply(whole(photons.extent), photons.view(), counts.view());
  return counts;
}

TEST(CountingCamera, CountsPhotonsAsItsClosedFormsSay) {
  struct Case {
    std::int64_t one_bit_frames;
    double dead_time_ns, afterpulses, mean, variance;
  };
  // 400 photons and 25 dark counts a second, at half efficiency, in a millisecond: 200.025 counts
  const double m = 200.025, slow = 1 + m * 500e-9 / 1e-3, empty = std::exp(-m / 255);
  const Case cases[] = {
      {0, 0, 0, m, m},
      {0, 500, 0, m / slow, m / (slow * slow * slow)},
      {0, 0, 0.1, m / 0.9, m * 1.1 / (0.9 * 0.9)},  // Vinogradov: F^2 = 1 + p
      {255, 0, 0, 255 * (1 - empty), 255 * empty * (1 - empty)},
  };
  const Extent3 extent{1, 400, 400};
  Volume<float> flat{extent};
  for (float& v : flat.voxels) v = 400;
  for (const Case& c : cases) {
    CameraSpec spec = typical_camera(CameraKind::counting);
    spec.exposure_seconds = 1e-3;
    spec.one_bit_frames = c.one_bit_frames;
    spec.dead_time_ns = c.dead_time_ns;
    spec.afterpulse_probability = c.afterpulses;
    CameraEpilogue camera{spec, {21}, extent};
    double sum = 0, squares = 0;
    for (const double count : record(camera, flat).voxels) {
      sum += count;
      squares += count * count;
    }
    const double pixels = 160000, mean = sum / pixels, variance = squares / pixels - mean * mean;
    // Five standard errors, and what counting begins with
    EXPECT_NEAR(mean, c.mean, 5 * std::sqrt(c.variance / pixels) + (c.dead_time_ns > 0 ? 0.1 : 0));
    EXPECT_NEAR(variance / c.variance, 1, 5 * std::sqrt(2 / pixels) + 0.005);
  }
}

TEST(CountingCamera, CountsPhotonsByTheirRateAndNotByItsWell) {
  // 5e5 counts in a thousand dead times; half a count more since it can count when it begins
  CameraSpec spec = typical_camera(CameraKind::counting);
  test::with_dead_time_and_small_well(spec);
  const Extent3 extent{1, 100, 100};
  Volume<float> flat{extent};
  for (float& v : flat.voxels) v = 1e6F;
  CameraEpilogue camera{spec, {21}, extent};
  double sum = 0;
  for (const double count : record(camera, flat).voxels) sum += count;
  EXPECT_NEAR(sum / 10000, 5e5 / (1 + 500) + 0.5, 0.05);
  EXPECT_EQ(camera.report().full_wells, 0);
}

TEST(CountingCamera, SaysThatCountersAreFull) {
  const Extent3 extent{1, 20, 20};
  Volume<float> flat{extent};
  const auto said = [&](CameraPreset preset, float photons) {
    for (float& v : flat.voxels) v = photons;
    CameraSpec spec = preset_camera(preset);
    CameraEpilogue camera{spec, {21}, extent};
    if (spec.bit_depth <= 8)
      record<std::uint8_t>(camera, flat);
    else
      record(camera, flat);
    EXPECT_EQ(camera.report().clipped_high, 0);
    return saturation_warning(camera.report());
  };
  EXPECT_EQ(said(CameraPreset::spad_512, 100), "");
  EXPECT_NE(said(CameraPreset::spad_512, 1e5F).find("400 of 400 pixels (100 %) counted as often"),
            std::string::npos);
  EXPECT_EQ(said(CameraPreset::spcm_aqrh, 100), "");
  EXPECT_NE(said(CameraPreset::spcm_aqrh, 1e9F).find("400 of 400 pixels (100 %) counted as often"),
            std::string::npos);
}

}  // namespace
}  // namespace synthoscope::simulator
