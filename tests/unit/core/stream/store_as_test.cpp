// SPDX-License-Identifier: MIT
#include "core/stream/store_as.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

struct RoundingCase {
  const char* name;
  PixelType type;
  double computed, stored;
  bool clipped;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr RoundingCase kRoundingCases[] = {
    {"half_goes_to_even_below", PixelType::uint8, 2.5, 2, false},
    {"half_goes_to_even_above", PixelType::uint8, 3.5, 4, false},
    {"half_goes_to_zero", PixelType::uint8, 0.5, 0, false},
    {"negative_half_goes_to_even", PixelType::int16, -2.5, -2, false},
    {"negative_half_of_unsigned_is_zero", PixelType::uint16, -0.5, 0, false},
    {"more_than_half_goes_up", PixelType::int32, 7.51, 8, false},
    {"uint8_top", PixelType::uint8, 255.5, 255, true},
    {"int16_half_below_its_bottom", PixelType::int16, -32768.5, -32768, false},
    {"uint16_half_above_its_top", PixelType::uint16, 65535.5, 65535, true},
    {"uint8_just_below_its_top", PixelType::uint8, 255.25, 255, false},
    {"uint8_bottom", PixelType::uint8, -1, 0, true},
    {"int8_top", PixelType::int8, 128, 127, true},
    {"int8_bottom", PixelType::int8, -129, -128, true},
    {"int8_at_its_bottom", PixelType::int8, -128, -128, false},
    {"uint16_top", PixelType::uint16, 70000, 65535, true},
    {"uint16_at_its_top", PixelType::uint16, 65535, 65535, false},
    {"int16_top", PixelType::int16, 32768, 32767, true},
    {"int16_bottom", PixelType::int16, -1e9, -32768, true},
    {"int32_top", PixelType::int32, 3e9, 2147483647, true},
    {"int32_bottom", PixelType::int32, -3e9, -2147483648.0, true},
    {"uint32_top", PixelType::uint32, 1e30, 4294967295.0, true},
    {"uint32_bottom", PixelType::uint32, -7, 0, true},
    {"infinity_is_the_top", PixelType::uint16, kInfinity, 65535, true},
    {"negative_infinity_is_the_bottom", PixelType::int16, -kInfinity, -32768, true},
    {"nan_of_an_integer_is_zero_and_counted", PixelType::int16, kNan, 0, true},
    {"float32_is_kept", PixelType::float32, 2.5, 2.5, false},
    {"float64_is_kept", PixelType::float64, -0.125, -0.125, false},
    {"float32_keeps_infinity", PixelType::float32, kInfinity, kInfinity, false},
    {"float64_keeps_nan", PixelType::float64, kNan, kNan, false},
};

class StoreOne : public testing::TestWithParam<RoundingCase> {
 protected:
  template <class Real>
  void expect_stored() {
    const auto& c = GetParam();
    visit_pixel_type(c.type, [&](auto zero) {
      // A row that is no whole number of vectors
      constexpr std::int64_t kCount = 37;
      const std::vector<Real> row(kCount, static_cast<Real>(c.computed));
      std::vector<decltype(zero)> stored(kCount);
      StoreAs store{c.type};
      store.apply({{}, {1, 1, kCount}}, HostView3<const Real>{row.data(), {1, 1, kCount}},
                  VoxelView{HostView3<decltype(zero)>{stored.data(), {1, 1, kCount}}});
      for (const auto voxel : stored)
        if (std::isnan(c.stored))
          EXPECT_TRUE(std::isnan(static_cast<double>(voxel)));
        else
          EXPECT_EQ(static_cast<double>(voxel), c.stored);
      EXPECT_EQ(store.clipped(), c.clipped ? kCount : 0);
    });
  }
};

TEST_P(StoreOne, RoundsClipsAndCounts) {
  expect_stored<float>();
  expect_stored<double>();
}

INSTANTIATE_TEST_SUITE_P(Table, StoreOne, testing::ValuesIn(kRoundingCases), test::kCaseName);

TEST(StoreAs, KeepsEveryBitOfDoubles) {
  const double computed = 1.0 / 3;
  double stored = 0;
  StoreAs store{PixelType::float64};
  store.apply({{}, {1, 1, 1}}, HostView3<const double>{&computed, {1, 1, 1}},
              VoxelView{HostView3<double>{&stored, {1, 1, 1}}});
  EXPECT_EQ(stored, 1.0 / 3);
}

TEST(StoreAs, WritesRowsThatLieApartAndLeavesTheGaps) {
  // 2 planes of 3 rows of 4 voxels; rows stand 5 apart in, 7 apart out
  const Extent3 extent{2, 3, 4};
  std::vector<float> in(2 * 3 * 5, -1);
  std::vector<std::uint16_t> out(2 * 3 * 7, 999);
  const HostView3<float> computed{in.data(), extent, 5};
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t x = 0; x < 4; ++x)
        computed(z, y, x) = static_cast<float>(100 * z + 10 * y + x);
  const HostView3<std::uint16_t> stored{out.data(), extent, 7};
  StoreAs store{PixelType::uint16};
  store.apply({{}, extent}, HostView3<const float>{computed}, VoxelView{stored});
  for (std::int64_t z = 0; z < 2; ++z)
    for (std::int64_t y = 0; y < 3; ++y)
      for (std::int64_t x = 0; x < 7; ++x)
        EXPECT_EQ(stored.row(z, y)[x], x < 4 ? 100 * z + 10 * y + x : 999);
  EXPECT_EQ(store.clipped(), 0);
}

TEST(StoreAs, AddsUpWhatWasClippedInAllBoxes) {
  const std::vector<double> computed{-5, 0, 300, 40, 256};
  std::vector<std::uint8_t> stored(5);
  StoreAs store{PixelType::uint8};
  for (int box = 0; box < 3; ++box)
    store.apply({{}, {1, 1, 5}}, HostView3<const double>{computed.data(), {1, 1, 5}},
                VoxelView{HostView3<std::uint8_t>{stored.data(), {1, 1, 5}}});
  EXPECT_EQ(stored, (std::vector<std::uint8_t>{0, 0, 255, 40, 255}));
  EXPECT_EQ(store.clipped(), 9);
}

TEST(StoreAs, AddsWhatWasConvertedElsewhere) {
  StoreAs store{PixelType::uint8};
  Epilogue& epilogue = store;
  ASSERT_TRUE(epilogue.only_converts());
  epilogue.count({3, 1});
  epilogue.count({2, 0});
  EXPECT_EQ(store.clipped(), 5);
  EXPECT_EQ(store.non_finite(), 1);
}

TEST(StoreAs, ChangesTheTypeAndNothingElse) {
  const auto format = StoreAs{PixelType::int8}.format({3, 4, 5});
  EXPECT_EQ(format.extent, (Extent3{3, 4, 5}));
  EXPECT_EQ(format.type, PixelType::int8);
  EXPECT_EQ(format.alignment, (Extent3{1, 1, 1}));
}

TEST(StoreAs, CountsWhatIsNotFiniteInEveryType) {
  const Volume<float> in = [] {
    Volume<float> v{{1, 1, 4}};
    v.voxels = {1, INFINITY, -INFINITY, NAN};
    return v;
  }();
  for (const auto type : {PixelType::uint16, PixelType::float32}) {
    StoreAs store{type};
    std::vector<std::byte> out(4 * static_cast<std::size_t>(size_of(type)));
    store.apply(whole(in.extent), in.view(), VoxelView{out.data(), type, in.extent});
    EXPECT_EQ(store.non_finite(), 3) << name_of(type);
  }
}

}  // namespace
}  // namespace synthoscope
