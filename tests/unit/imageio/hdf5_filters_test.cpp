// SPDX-License-Identifier: MIT
#include "imageio/hdf5_filters.hpp"
#include <gtest/gtest.h>
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

}  // namespace
}  // namespace synthoscope::imageio
