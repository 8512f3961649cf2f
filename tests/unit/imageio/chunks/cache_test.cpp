// SPDX-License-Identifier: MIT
#include "imageio/chunks/cache.hpp"
#include <gtest/gtest.h>
#include <atomic>
#include <stdexcept>
#include <thread>

namespace synthoscope::imageio {
namespace {

/// Chunks that hold their number, and how many were decoded.
struct Decoder {
  std::atomic<int> decoded{0};
  ChunkCache::Decode of(std::int64_t number) {
    return [this, number](std::vector<std::byte>& chunk) {
      ++decoded;
      chunk.assign(8, static_cast<std::byte>(number));
    };
  }
};

TEST(ChunkCache, DecodesAgainOnlyWhatWasNotUsedForLongest) {
  ChunkCache cache{3};
  Decoder decoder;
  const auto get = [&](std::int64_t number) {
    const auto chunk = cache.get(number, decoder.of(number));
    EXPECT_EQ(chunk->front(), static_cast<std::byte>(number));
  };
  for (const int number : {1, 2, 3, 1, 2, 3}) get(number);
  EXPECT_EQ(decoder.decoded, 3);
  get(1);
  get(4);  // 2 goes
  for (const int number : {3, 1, 4}) get(number);
  EXPECT_EQ(decoder.decoded, 4);
  get(2);
  EXPECT_EQ(decoder.decoded, 5);
}

TEST(ChunkCache, KeepsAChunkAliveForItsReader) {
  ChunkCache cache{1};
  Decoder decoder;
  const auto held = cache.get(1, decoder.of(1));
  (void)cache.get(2, decoder.of(2));
  EXPECT_EQ(held->back(), std::byte{1});
}

TEST(ChunkCache, DecodesOnceForThreadsThatWantTheSame) {
  ChunkCache cache{16};
  Decoder decoder;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (std::int64_t number = 0; number < 16; ++number)
        EXPECT_EQ(cache.get(number, decoder.of(number))->front(), static_cast<std::byte>(number));
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(decoder.decoded, 16);
}

TEST(ChunkCache, ForgetsAChunkThatCouldNotBeDecoded) {
  ChunkCache cache{2};
  Decoder decoder;
  EXPECT_THROW(
      (void)cache.get(1, [](std::vector<std::byte>&) { throw std::runtime_error{"broken"}; }),
      std::runtime_error);
  EXPECT_EQ(cache.get(1, decoder.of(1))->front(), std::byte{1});
}

}  // namespace
}  // namespace synthoscope::imageio
