// SPDX-License-Identifier: MIT
// Sums do not depend on how bytes were cut and in whatever order they came, and see what changed.
#include "core/math/content_sum.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <vector>

namespace synthoscope {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::mt19937 draw{7};
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(draw());
  return bytes;
}

std::int64_t sum_of(std::span<const std::byte> bytes, std::int64_t offset = 0) {
  ContentSum sum;
  sum.add(offset, bytes);
  return sum.value();
}

TEST(ContentSum, DoesNotDependOnPiecesAndTheirOrder) {
  const auto bytes = random_bytes(1000);
  const std::int64_t whole = sum_of(bytes, 3);
  std::mt19937 draw{8};
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<std::size_t, std::size_t>> pieces;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t count = std::min<std::size_t>(1 + draw() % 30, bytes.size() - at);
      pieces.emplace_back(at, count);
      at += count;
    }
    std::shuffle(pieces.begin(), pieces.end(), draw);
    ContentSum one, other;
    for (const auto& [at, count] : pieces)
      (draw() % 2 ? one : other)
          .add(3 + static_cast<std::int64_t>(at), std::span{bytes}.subspan(at, count));
    one.add(other);
    ASSERT_EQ(one.value(), whole);
  }
}

TEST(ContentSum, SeesEveryBitThatIsFlippedAndEveryPairOfEqualFlips) {
  const auto bytes = random_bytes(64);
  const std::int64_t whole = sum_of(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto other = bytes;
    other[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_NE(sum_of(other), whole) << "bit " << bit;
    for (std::size_t next = bit / 8 + 8; next < bytes.size(); next += 8) {
      auto both = other;
      both[next] ^= static_cast<std::byte>(1 << bit % 8);  // as signs of two voxels
      EXPECT_NE(sum_of(both), whole) << "bit " << bit << ", byte " << next;
    }
  }
}

TEST(ContentSum, SeesWordsThatChangedPlacesAndShiftedBytes) {
  const auto bytes = random_bytes(64);
  auto exchanged = bytes;
  std::swap_ranges(exchanged.begin(), exchanged.begin() + 8, exchanged.begin() + 8);
  EXPECT_NE(sum_of(exchanged), sum_of(bytes));
  for (std::int64_t offset = 1; offset < 20; ++offset)
    EXPECT_NE(sum_of(bytes, offset), sum_of(bytes)) << offset;
}

TEST(ContentSum, OfZerosIsThatOfNothing) {
  const std::vector<std::byte> zeros(99);
  EXPECT_EQ(sum_of(zeros, 5), 0);
  EXPECT_EQ(sum_of({}, 5), 0);
  EXPECT_EQ(ContentSum{}, ContentSum{0});
}

TEST(ContentSum, KeepsItsNumbersSinceJournalsHoldThem) {
  std::vector<std::byte> bytes(20);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
  EXPECT_EQ(sum_of(bytes), 1899946038316479931);
  EXPECT_EQ(sum_of(bytes, std::int64_t{1} << 40), 1794796577323536344);
}

}  // namespace
}  // namespace synthoscope
