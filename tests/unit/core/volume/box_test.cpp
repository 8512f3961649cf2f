// SPDX-License-Identifier: MIT
#include "core/volume/box.hpp"
#include <gtest/gtest.h>
#include <cstdint>
#include <sstream>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

TEST(Extent, CountsVoxelsUpTo63Bits) {
  EXPECT_EQ(volume({2, 3, 4}), 24);
  EXPECT_EQ(volume({0, 3, 4}), 0);
  EXPECT_EQ(volume({1, 1, INT64_MAX}), INT64_MAX);
  EXPECT_EQ(volume({std::int64_t{1} << 20, std::int64_t{1} << 20, std::int64_t{1} << 22}),
            std::int64_t{1} << 62);
}

TEST(Extent, RefusesMoreVoxelsThan63BitsCount) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 21;
  for (const Extent3& e : {Extent3{kHuge, kHuge, kHuge}, Extent3{1, INT64_MAX, 2},
                           Extent3{INT64_MAX, INT64_MAX, INT64_MAX}})
    try {
      (void)volume(e);
      FAIL() << e;
    } catch (const InvalidSpec& failure) {
      EXPECT_STREQ(failure.what(),
                   "count voxels: the volume has more than 2^63 - 1 of them; use a smaller one");
    }
}

TEST(Extent, IsPositiveWhenEveryAxisIs) {
  EXPECT_TRUE(is_positive({1, 1, 1}));
  EXPECT_FALSE(is_positive({0, 1, 1}));
  EXPECT_FALSE(is_positive({1, -1, 1}));
  EXPECT_FALSE(is_positive({1, 1, 0}));
}

struct ContainsCase {
  const char* name;
  Box3 box;
  bool inside;
};

// In a volume of 4x5x6.
constexpr ContainsCase kContainsCases[] = {
    {"whole", {{0, 0, 0}, {4, 5, 6}}, true},
    {"last_voxel", {{3, 4, 5}, {1, 1, 1}}, true},
    {"empty_at_the_end", {{4, 5, 6}, {0, 0, 0}}, true},
    {"beyond_z", {{1, 0, 0}, {4, 5, 6}}, false},
    {"beyond_y", {{0, 1, 0}, {4, 5, 6}}, false},
    {"beyond_x", {{0, 0, 1}, {4, 5, 6}}, false},
    {"before_z", {{-1, 0, 0}, {2, 1, 1}}, false},
    {"before_x", {{0, 0, -1}, {1, 1, 1}}, false},
    {"negative_size", {{2, 0, 0}, {-1, 1, 1}}, false},
    {"origin_that_would_overflow", {{INT64_MAX, 0, 0}, {1, 1, 1}}, false},
    {"size_that_would_overflow", {{1, 0, 0}, {INT64_MAX, 1, 1}}, false},
};

class Contains : public testing::TestWithParam<ContainsCase> {};

TEST_P(Contains, LooksAtEveryFace) {
  EXPECT_EQ(contains({4, 5, 6}, GetParam().box), GetParam().inside);
}

INSTANTIATE_TEST_SUITE_P(Table, Contains, testing::ValuesIn(kContainsCases), test::kCaseName);

struct IntersectionCase {
  const char* name;
  Box3 a, b, both;
};

constexpr IntersectionCase kIntersectionCases[] = {
    {"inside", {{0, 0, 0}, {9, 9, 9}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3}, {4, 5, 6}}},
    {"corner", {{0, 0, 0}, {4, 4, 4}}, {{2, 3, 1}, {9, 9, 9}}, {{2, 3, 1}, {2, 1, 3}}},
    {"negative_origin", {{-3, -3, -3}, {5, 5, 5}}, {{0, 0, 0}, {9, 9, 9}}, {{0, 0, 0}, {2, 2, 2}}},
    {"touching", {{0, 0, 0}, {4, 4, 4}}, {{4, 0, 0}, {4, 4, 4}}, {{4, 0, 0}, {0, 4, 4}}},
    {"apart", {{0, 0, 0}, {2, 2, 2}}, {{7, 8, 9}, {1, 1, 1}}, {{7, 8, 9}, {0, 0, 0}}},
};

class Intersection : public testing::TestWithParam<IntersectionCase> {};

TEST_P(Intersection, IsWhatLiesInBothWhicheverComesFirst) {
  EXPECT_EQ(intersection(GetParam().a, GetParam().b), GetParam().both);
  EXPECT_EQ(intersection(GetParam().b, GetParam().a), GetParam().both);
}

INSTANTIATE_TEST_SUITE_P(Table, Intersection, testing::ValuesIn(kIntersectionCases),
                         test::kCaseName);

TEST(Box, OfAPlaneAndOfAVolume) {
  EXPECT_EQ(plane({4, 5, 6}, 2), (Box3{{2, 0, 0}, {1, 5, 6}}));
  EXPECT_EQ(whole({4, 5, 6}), (Box3{{0, 0, 0}, {4, 5, 6}}));
}

TEST(Box, HasRunsInCommonWithTheVolumeAroundIt) {
  constexpr Extent3 kAll{3, 4, 5};
  struct Case {
    Box3 box;
    std::int64_t pitch, runs;
  };
  for (const auto& [box, pitch, runs] : {Case{whole(kAll), 5, 1},
                                         {{{1, 0, 0}, {2, 4, 5}}, 5, 1},
                                         {{{0, 1, 0}, {3, 2, 5}}, 5, 3},
                                         {{{0, 1, 2}, {2, 3, 2}}, 2, 6},
                                         {whole(kAll), 7, 12},
                                         {{{0, 0, 0}, {2, 2, 0}}, 0, 0}}) {
    std::int64_t found = 0, voxels = 0;
    for_each_run(
        kAll, box, pitch,
        [&, box = box, pitch = pitch](std::int64_t first, std::int64_t at, std::int64_t count) {
          ++found;
          for (std::int64_t i = 0; i < count; ++i, ++voxels) {
            // The voxel's place in the box, from its place in memory and from that in the volume
            const std::int64_t row = (at + i) / pitch, x = (at + i) % pitch;
            const Index3 from_memory{row / box.size.y, row % box.size.y, x};
            const std::int64_t v = first + i;
            EXPECT_EQ(from_memory, (Index3{v / 20 - box.origin.z, v / 5 % 4 - box.origin.y,
                                           v % 5 - box.origin.x}));
          }
        });
    EXPECT_EQ(found, runs) << box;
    EXPECT_EQ(voxels, volume(box.size)) << box;
  }
}

TEST(Box, IsPrintedInTheOrderZYX) {
  EXPECT_EQ(fmt::format("{}", Extent3{40, 201, 101}), "40x201x101");
  EXPECT_EQ(fmt::format("{}", Index3{12, 0, -7}), "(12, 0, -7)");
  EXPECT_EQ(fmt::format("{}", Box3{{1, 2, 3}, {4, 5, 6}}), "4x5x6 at (1, 2, 3)");
  std::ostringstream out;
  out << Extent3{1, 2, 3} << ' ' << Index3{4, 5, 6} << ' ' << Box3{{}, {1, 1, 1}};
  EXPECT_EQ(out.str(), "1x2x3 (4, 5, 6) 1x1x1 at (0, 0, 0)");
}

}  // namespace
}  // namespace synthoscope
