// SPDX-License-Identifier: MIT
// expected_counts_test.cpp — the moments are those of the counts that a camera makes.
#include "simulator/detector/expected_counts.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "tests/support/camera_case.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct MomentsCase {
  const char* name;
  CameraKind kind;
  double photons;
  int binning = 1;
  void (*change)(CameraSpec&) = nullptr;
};

void with_row_noise(CameraSpec& camera) {
  camera.row_noise_electrons = 4;
  camera.gain_spread = 0.1;
}

void with_hot_pixels(CameraSpec& camera) {
  camera.hot_pixels = 0.2;
  camera.hot_dark_current_electrons_per_second = 500;
  camera.dark_current_spread = 0.5;
}

void with_a_short_dead_time(CameraSpec& camera) {
  camera.exposure_seconds = 1e-3;
  camera.dead_time_ns = 200;
}

void with_afterpulses(CameraSpec& camera) {
  camera.afterpulse_probability = 0.1;
}

void with_few_one_bit_frames(CameraSpec& camera) {
  camera.one_bit_frames = 255;
}

constexpr MomentsCase kCases[] = {
    {"scmos", CameraKind::scmos, 30},
    {"scmos_binned_with_row_noise", CameraKind::scmos, 30, 2, with_row_noise},
    {"scmos_hot", CameraKind::scmos, 5, 1, with_hot_pixels},
    {"ccd", CameraKind::ccd, 200},
    {"ccd_binned", CameraKind::ccd, 100, 3, with_row_noise},
    {"emccd", CameraKind::emccd, 4},
    {"emccd_binned", CameraKind::emccd, 2, 2},
    {"counting", CameraKind::counting, 20},
    {"counting_binned_with_afterpulses", CameraKind::counting, 20, 2, with_afterpulses},
    {"counting_with_dead_time", CameraKind::counting, 2000, 1, with_a_short_dead_time},
    {"counting_in_one_bit_frames", CameraKind::counting, 200, 1, with_few_one_bit_frames},
};

class Moments : public testing::TestWithParam<MomentsCase> {};

TEST_P(Moments, AreThoseOfManyExposures) {
  CameraSpec spec = typical_camera(GetParam().kind);
  spec.binning = GetParam().binning;
  spec.offset_dn = 200;  // read noise does not reach 0
  if (GetParam().kind == CameraKind::counting) spec.offset_dn = 0;
  if (GetParam().change) GetParam().change(spec);
  constexpr std::int64_t kExposures = 6000, kSide = 12;
  const Extent3 sensor{kExposures, kSide, kSide};
  Volume<float> photons{sensor};
  for (std::size_t i = 0; i < photons.voxels.size(); ++i)  // from column to column
    photons.voxels[i] =
        static_cast<float>(GetParam().photons * (0.5 + static_cast<double>(i % kSide) / kSide));
  CameraEpilogue camera{spec, {5, 0, 0}, sensor};
  const StreamFormat format = camera.format(sensor);
  Volume<std::uint16_t> counts{format.extent};
  camera.apply({{0, 0, 0}, sensor}, photons.view(), counts.view());
  ASSERT_EQ(camera.report().clipped_low + camera.report().clipped_high, 0);

  const ExpectedCounts expected{camera};
  double shift = 0, square = 0;
  const std::int64_t bin = spec.binning;
  for (std::int64_t y = 0; y < format.extent.y; ++y)
    for (std::int64_t x = 0; x < format.extent.x; ++x) {
      const auto [mean, variance] =
          expected.of(y, x, {photons.view().row(0, y * bin) + x * bin, kSide});
      for (std::int64_t z = 0; z < kExposures; ++z) {
        const double off = (counts.view()(z, y, x) - mean) / std::sqrt(variance);
        shift += off;
        square += off * off;
      }
    }
  // Pixels of a row share some noise, so that there are fewer independent values than counts
  const auto many = static_cast<double>(counts.voxels.size());
  const double rows = static_cast<double>(kExposures * format.extent.y);
  const double independent = spec.row_noise_electrons > 0 ? rows : many;
  EXPECT_LE(std::abs(shift / many), 5 / std::sqrt(independent));
  EXPECT_NEAR(square / many, 1, 5 * std::sqrt(3 / independent));
}

/// The stage of a camera that ends its range at some photons.
struct RangeCase {
  const char* name;
  CameraKind kind;
  int binning;
  double photons;  ///< of each pixel, that use the whole range
  void (*change)(CameraSpec&);
};

constexpr RangeCase kRanges[] = {
    {"full_well", CameraKind::scmos, 1, 2000,
     [](CameraSpec& camera) { camera.full_well_electrons = 1000; }},
    {"largest_count", CameraKind::scmos, 1, 4095 - 200,
     [](CameraSpec& camera) { camera.bit_depth = 12; }},
    {"largest_count_of_binned_numbers", CameraKind::scmos, 2, (4095 - 4 * 200) / 4.0,
     [](CameraSpec& camera) { camera.bit_depth = 12; }},
    {"register_of_a_binned_ccd", CameraKind::ccd, 2, 2000 / 4.0,
     [](CameraSpec& camera) { camera.register_full_well_electrons = 1000; }},
    {"register_of_an_emccd", CameraKind::emccd, 1, 2 * 1000 / 50.0,
     [](CameraSpec& camera) {
       camera.em_gain = 50;
       camera.register_full_well_electrons = 1000;
     }},
};

class RangeUsed : public testing::TestWithParam<RangeCase> {};

TEST_P(RangeUsed, IsOneWhereTheFirstStageIsFull) {
  CameraSpec spec;
  spec.kind = GetParam().kind;
  spec.binning = GetParam().binning;
  spec.quantum_efficiency = 0.5;
  spec.dark_current_electrons_per_second = spec.clock_induced_charge_electrons = 0;
  spec.gain_dn_per_electron = 2;
  spec.offset_dn = 200;
  spec.offset_spread_dn = spec.gain_spread = spec.read_noise_spread = 0;
  spec.full_well_electrons = spec.register_full_well_electrons = 1e6;
  spec.bit_depth = 16;
  GetParam().change(spec);
  const CameraEpilogue camera{spec, {5, 0, 0}, {1, 4, 4}};
  const std::vector<float> photons(16, static_cast<float>(GetParam().photons));
  EXPECT_NEAR(ExpectedCounts{camera}.range_used(1, 1, {photons.data(), 4}), 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Table, RangeUsed, testing::ValuesIn(kRanges),
                         synthoscope::test::kCaseName);
INSTANTIATE_TEST_SUITE_P(Table, Moments, testing::ValuesIn(kCases), synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
