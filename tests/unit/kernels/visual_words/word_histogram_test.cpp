// SPDX-License-Identifier: MIT
#include "kernels/visual_words/word_histogram.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using Counts = std::vector<std::int64_t>;

/// A word map of words 0 to 9.
template <class Word>
Volume<Word> word_map(const Extent3& extent) {
  auto map = test::pattern<Word>(extent);
  for (Word& word : map.voxels) word = static_cast<Word>(word % 10);
  return map;
}

struct CountCase {
  const char* name;
  Extent3 image;
  int levels;
  std::size_t cells;  ///< of the finest level
};

// One row says one thing: name, image, levels -> cells.
// clang-format off
constexpr CountCase kCountCases[] = {
    {"one_voxel",            { 1,  1,  1}, 0,   1},
    {"one_voxel_three_times",{ 1,  1,  1}, 3,   1},
    {"whole_plane",          { 1, 30, 41}, 0,   1},
    {"quarters",             { 1, 30, 41}, 1,   4},
    {"ragged_cells",         { 1,  9,  7}, 2,  16},
    {"a_line",               { 1,  1, 17}, 3,   8},
    {"eighths",              { 5,  6,  7}, 1,   8},
    {"small_cells",          { 8, 11, 9},  3, 512},
};
// clang-format on

class WordCountsOf : public testing::TestWithParam<CountCase> {
 protected:
  const CountCase& c = GetParam();

  /// Of every voxel by itself, by the definition of cells.
  [[nodiscard]] Counts by_definition(const Volume<std::uint8_t>& map) const {
    Counts counts(c.cells * 10);
    const auto cells = [&](std::int64_t n) { return n > 1 ? 1 << c.levels : 1; };
    const auto [nz, ny, nx] = c.image;
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x) {
          const std::int64_t cz = z * cells(nz) / nz, cy = y * cells(ny) / ny;
          const std::int64_t cell = (cz * cells(ny) + cy) * cells(nx) + x * cells(nx) / nx;
          ++counts[static_cast<std::size_t>(cell * 10 + map.view()(z, y, x))];
        }
    return counts;
  }
};

TEST_P(WordCountsOf, AreThoseOfTheDefinition) {
  const auto map = word_map<std::uint8_t>(c.image);
  WordCounts counts{c.image, 10, c.levels};
  counts.add(whole(c.image), map.view());
  EXPECT_EQ(Counts(counts.counts().begin(), counts.counts().end()), by_definition(map));
  EXPECT_EQ(counts.total(), volume(c.image));
  EXPECT_EQ(WordCounts::bytes(c.image, 10, c.levels),
            static_cast<std::int64_t>(counts.counts().size_bytes()));
}

TEST_P(WordCountsOf, AreTheSameOfBoxesInAnyOrderAndOfSeveralCounts) {
  const auto map = word_map<std::uint16_t>(c.image);
  WordCounts expected{c.image, 10, c.levels}, odd{c.image, 10, c.levels}, even = odd;
  expected.add(whole(c.image), map.view());
  // Rows from the last to the first, each in two pieces
  for (std::int64_t z = c.image.z - 1; z >= 0; --z)
    for (std::int64_t y = c.image.y - 1; y >= 0; --y) {
      const std::int64_t half = c.image.x / 2;
      const auto add = [&](std::int64_t x, std::int64_t count) {
        if (count == 0) return;
        const HostView3<const std::uint16_t> part{map.view().row(z, y) + x, {1, 1, count}};
        (y % 2 == 0 ? even : odd).add({{z, y, x}, {1, 1, count}}, part);
      };
      add(half, c.image.x - half);
      add(0, half);
    }
  even.add(odd);
  EXPECT_TRUE(std::ranges::equal(even.counts(), expected.counts()));
}

TEST_P(WordCountsOf, MakeHistogramsThatAddUpToOne) {
  WordCounts counts{c.image, 10, c.levels};
  counts.add(whole(c.image), word_map<std::uint8_t>(c.image).view());
  const auto histogram = counts.histogram();
  EXPECT_EQ(std::ssize(histogram), histogram_length(c.image, 10, c.levels));
  EXPECT_NEAR(std::accumulate(histogram.begin(), histogram.end(), 0.0), 1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cases, WordCountsOf, testing::ValuesIn(kCountCases), test::kCaseName);

TEST(WordHistogram, HasTheWeightsOfItsAuthorsLevelByLevel) {
  // Two words, 4 x 4 pixels, word 1 in the upper left quarter and in the last pixel
  Volume<std::uint8_t> map{{1, 4, 4}};
  for (const std::size_t at : {0, 1, 4, 5, 15}) map.voxels[at] = 1;
  WordCounts counts{map.extent, 2, 2};
  counts.add(whole(map.extent), map.view());
  const auto h = counts.histogram();
  ASSERT_EQ(h.size(), 2U * (1 + 4 + 16));
  EXPECT_FLOAT_EQ(h[0], 11 / 16.0F / 4);  // whole: weight 1/4
  EXPECT_FLOAT_EQ(h[1], 5 / 16.0F / 4);
  EXPECT_FLOAT_EQ(h[2], 0);  // quarters: weight 1/4
  EXPECT_FLOAT_EQ(h[3], 4 / 16.0F / 4);
  EXPECT_FLOAT_EQ(h[8], 3 / 16.0F / 4);
  EXPECT_FLOAT_EQ(h[9], 1 / 16.0F / 4);
  EXPECT_FLOAT_EQ(h[40], 0);  // sixteenths: weight 1/2
  EXPECT_FLOAT_EQ(h[41], 1 / 16.0F / 2);
}

TEST(WordHistogram, RefusesInASentence) {
  const auto refuse = [](const Extent3& image, std::int64_t words, int levels,
                         std::initializer_list<const char*> sentence) {
    test::expect_failure<InvalidSpec>([&] { WordCounts(image, words, levels); }, sentence);
  };
  refuse({1, 9, 9}, 0, 0, {"0 words"});
  refuse({1, 9, 9}, std::int64_t{1} << 62, 1, {"1 to 65536"});  // counts of all cells: 2^64
  refuse({1, 9, 9}, 5, -1, {"-1 levels", "0 to 5"});
  refuse({1, 99, 99}, 5, 6, {"6 levels", "0 to 5"});
  refuse({3, 9, 9}, 5, 2, {"3x9x9 voxels in 4x4x4 cells", "fewer levels"});
  test::expect_failure<InvalidSpec>(
      [] {
        (void)WordCounts({1, 9, 9}, 5).histogram();
      },
      {"no voxel was counted"});
  const auto map = word_map<std::uint8_t>({1, 20, 20});
  WordCounts counts{map.extent, 9};
  test::expect_failure<InvalidInput>([&] { counts.add(whole(map.extent), map.view()); },
                                     {"word 9", "dictionary has 9 words"});
}

}  // namespace
}  // namespace synthoscope::kernels
