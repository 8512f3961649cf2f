// SPDX-License-Identifier: MIT
#include "imageio/chunks/filters.hpp"
#include <gtest/gtest.h>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace synthoscope::imageio {
namespace {

using Bytes = std::vector<std::byte>;

/// 0, 1, 2, ... but compressible at its end.
Bytes counted(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i < 300 ? i : 7);
  return bytes;
}

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(Shuffle, GroupsBytesOfEqualRankAndLeavesTheRest) {
  const Bytes elements = bytes_of({0, 1, 10, 11, 20, 21, 99});
  Bytes shuffled(elements.size());
  shuffle_bytes(elements, 2, shuffled);
  EXPECT_EQ(shuffled, bytes_of({0, 10, 20, 1, 11, 21, 99}));
}

TEST(Shuffle, IsUndone) {
  for (const std::int64_t size : {1, 2, 4, 8})
    for (const std::size_t count : {0u, 5u, 64u, 1003u}) {
      const Bytes elements = counted(count);
      Bytes shuffled(count), back(count);
      shuffle_bytes(elements, size, shuffled);
      unshuffle_bytes(shuffled, size, back);
      EXPECT_EQ(back, elements) << size << " bytes, " << count << " of them";
    }
}

TEST(Deflate, IsUndone) {
  const Bytes bytes = counted(5000);
  Bytes packed, back(bytes.size());
  deflate_bytes(bytes, 4, packed);
  EXPECT_LT(packed.size(), bytes.size());
  EXPECT_LE(static_cast<std::int64_t>(packed.size()), most_deflated_bytes(5000));
  EXPECT_TRUE(inflate_bytes(packed, back));
  EXPECT_EQ(back, bytes);
}

TEST(Deflate, RefusesWhatDoesNotUnpackToTheRightSize) {
  const Bytes bytes = counted(5000);
  Bytes packed;
  deflate_bytes(bytes, 4, packed);
  for (const std::size_t size : {4999u, 5001u}) {
    Bytes back(size);
    EXPECT_FALSE(inflate_bytes(packed, back)) << size;
  }
  Bytes back(bytes.size());
  EXPECT_FALSE(inflate_bytes(std::span{packed}.first(packed.size() - 1), back));
  packed[packed.size() / 2] ^= std::byte{1};
  EXPECT_FALSE(inflate_bytes(packed, back));
}

/// `text` and this sum behind it, the lowest byte first.
Bytes with_sum(std::string_view text, std::uint32_t sum) {
  Bytes bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(sum >> 8 * i & 0xFF));
  return bytes;
}

TEST(Fletcher32, IsTheSumOfWordsAndTheSumOfItsSums) {
  // 0x6162 + 0x6364 = 0xC4C6; 0x6162 + 0xC4C6 = 0x12628, modulo 0xFFFF 0x2629; a last byte alone:
  // 0xC4C6 + 0x6500 = 0x129C6, 0x29C7; 0x12628 + 0x129C6 = 0x24FEE, 0x4FF0
  for (const auto& [text, sum] : {std::pair{"abcd", 0x2629C4C6u}, {"abcde", 0x4FF029C7u}}) {
    const std::string_view bytes = text;
    const auto before = without_fletcher32(with_sum(bytes, sum));
    ASSERT_TRUE(before) << text;
    EXPECT_EQ(before->size(), bytes.size());
    const std::uint32_t swapped = (sum & 0xFF00FF) << 8 | (sum >> 8 & 0xFF00FF);
    EXPECT_TRUE(without_fletcher32(with_sum(bytes, swapped))) << text;
    EXPECT_FALSE(without_fletcher32(with_sum(bytes, sum ^ 1))) << text;
  }
  EXPECT_TRUE(without_fletcher32(with_sum("", 0)));
  EXPECT_FALSE(without_fletcher32(Bytes(3)));
}

}  // namespace
}  // namespace synthoscope::imageio
