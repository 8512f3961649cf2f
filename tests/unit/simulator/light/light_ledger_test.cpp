// SPDX-License-Identifier: MIT
// light_ledger_test.cpp — every voxel counts once, in whatever pieces it comes.
#include "simulator/light/light_ledger.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

constexpr Extent3 kExtent{3, 4, 10};

/// Value of a voxel: no two sums of boxes agree by chance.
Volume<float> numbered() {
  Volume<float> v{kExtent};
  for (std::size_t i = 0; i < v.voxels.size(); ++i) v.voxels[i] = static_cast<float>(i * i % 977);
  return v;
}

std::vector<double> plane_sums(const Volume<float>& v) {
  std::vector<double> sums(3);
  for (std::size_t i = 0; i < v.voxels.size(); ++i) sums[i / 40] += v.voxels[i];
  return sums;
}

struct ReadingCase {
  const char* name;
  std::vector<Box3> boxes;
  bool complete;
};
const ReadingCase kReadings[] = {
    {"whole", {whole(kExtent)}, true},
    {"planes_twice",
     {plane(kExtent, 1), plane(kExtent, 0), plane(kExtent, 1), plane(kExtent, 2)},
     true},
    {"tiles_with_halos",
     {{{0, 0, 0}, {3, 3, 6}},
      {{0, 0, 4}, {3, 3, 6}},
      {{0, 1, 0}, {3, 3, 6}},
      {{0, 1, 4}, {3, 3, 6}}},
     true},
    {"right_before_left", {{{0, 0, 5}, {3, 4, 5}}, {{0, 0, 0}, {3, 4, 5}}}, true},
    {"inside_what_is_known", {whole(kExtent), {{1, 1, 2}, {1, 2, 3}}}, true},
    {"gap_closed_later",
     {{{0, 0, 0}, {3, 4, 2}}, {{0, 0, 7}, {3, 4, 3}}, {{0, 0, 2}, {3, 4, 8}}},
     true},
    {"gap_left_open", {{{0, 0, 0}, {3, 4, 2}}, {{0, 0, 7}, {3, 4, 3}}}, false},
    {"nothing", {}, false},
};

class LightLedgerReading : public testing::TestWithParam<ReadingCase> {};

TEST_P(LightLedgerReading, CountsEveryVoxelOnce) {
  const Volume<float> light = numbered();
  MemorySource inner{light.view()};
  LightLedger ledger{kExtent, true};
  CountedSource source{inner, ledger};
  for (const Box3& box : GetParam().boxes) {
    Volume<float> out{box.size};
    source.read(box, VoxelView{out.view()});
  }
  EXPECT_EQ(ledger.is_complete(), GetParam().complete);
  if (GetParam().complete) {
    EXPECT_EQ(ledger.planes(), plane_sums(light));
  }
  ledger.clear();
  EXPECT_EQ(ledger.planes(), (std::vector<double>{0, 0, 0}));
}

/// What a device makes of rows of a box.
device::PlaneSum added_up(const LightLedger::NewRows& rows, std::int64_t row, const Box3& box,
                          const Volume<float>& light) {
  const std::int64_t z = row / box.size.y, y = row % box.size.y;
  const float* voxels = light.view().row(box.origin.z + z, box.origin.y + y) + box.origin.x;
  double sum = 0;
  for (std::int64_t x = rows.begin; x < rows.end; ++x) sum += static_cast<double>(voxels[x]);
  // Below 2^24, so that the product stays below 2^64
  return {{static_cast<unsigned long long>(sum * LightLedger::kResolution), 0},
          {static_cast<unsigned long long>(std::ceil(sum)), 0},
          static_cast<unsigned long long>(rows.end - rows.begin)};
}

TEST_P(LightLedgerReading, CountsTheSameWhenRowsAreAddedUpElsewhere) {
  const Volume<float> light = numbered();
  MemorySource inner{light.view()};
  LightLedger here{kExtent, true}, elsewhere{kExtent, true};
  CountedSource source{inner, here};
  for (const Box3& box : GetParam().boxes) {
    Volume<float> read{box.size};
    source.read(box, read.view());
    for (const auto& rows : elsewhere.claim(box))
      for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row)
        elsewhere.add(box.origin.z + row / box.size.y, added_up(rows, row, box, light));
  }
  EXPECT_EQ(elsewhere.is_complete(), GetParam().complete);
  EXPECT_EQ(elsewhere.planes(), here.planes());
}

TEST(LightLedger, TakesWholeBoxesOfRowsAtOnce) {
  LightLedger once{kExtent, true}, always{kExtent, false};
  EXPECT_EQ(once.claim(whole(kExtent)).size(), 1U);
  EXPECT_EQ(once.claim(whole(kExtent)).size(), 0U);
  EXPECT_EQ(always.claim(whole(kExtent)).size(), 1U);
  EXPECT_EQ(always.claim(whole(kExtent)).front().count, 12);
}

INSTANTIATE_TEST_SUITE_P(Orders, LightLedgerReading, testing::ValuesIn(kReadings), test::kCaseName);

TEST(LightLedger, CountsDisjointBoxesOfManyThreads) {
  const Volume<float> light = numbered();
  LightLedger ledger{kExtent, false};
  TaskPool pool{4};
  pool.for_each(12, [&](std::int64_t row) {
    const Box3 box{{row / 4, row % 4, 0}, {1, 1, 10}};
    ledger.add(box, HostView3<const float>{light.view().row(row / 4, row % 4), box.size});
  });
  EXPECT_TRUE(ledger.is_complete());
  EXPECT_EQ(ledger.planes(), plane_sums(light));
}

/// Rows of equal voxels, whose sums a plane can hold exactly or not.
struct ExtremeCase {
  const char* name;
  std::int64_t rows;
  float voxel;
  bool complete;
};
constexpr ExtremeCase kExtremes[] = {
    {"as_much_as_fits", 16, 0x1p80F, true},
    {"more_than_fits", 16, 0x1.01p80F, false},
    {"more_than_fits_below_zero", 16, -0x1.01p80F, false},
    {"so_much_that_it_would_come_round", 2048, 0x1p80F, false},
    {"a_row_beyond_all_measure", 1, 1e25F, false},
};
class LightLedgerExtreme : public testing::TestWithParam<ExtremeCase> {};

TEST_P(LightLedgerExtreme, GivesAnExactSumOrNone) {
  const auto& c = GetParam();
  const Extent3 extent{1, c.rows, 4};
  Volume<float> light{extent};
  std::fill(light.voxels.begin(), light.voxels.end(), c.voxel);
  LightLedger ledger{extent, true};
  for (std::int64_t row = 0; row < c.rows; ++row)
    ledger.add({{0, row, 0}, {1, 1, 4}},
               HostView3<const float>{light.view().row(0, row), {1, 1, 4}});
  EXPECT_EQ(ledger.is_complete(), c.complete);
  if (c.complete) {
    EXPECT_EQ(ledger.planes(), std::vector<double>{4.0 * static_cast<double>(c.rows) * c.voxel});
  }
}

INSTANTIATE_TEST_SUITE_P(Extremes, LightLedgerExtreme, testing::ValuesIn(kExtremes),
                         test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
