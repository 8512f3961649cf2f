// SPDX-License-Identifier: MIT
#include "core/math/content_sum.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace synthoscope {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::size_t kWord = 8;

using Wide = unsigned __int128;

/// Equal modulo the prime, and below 2^68.
constexpr Wide folded(Wide wide) {
  return (wide & kPrime) + (wide >> 61);
}

constexpr std::uint64_t reduced(Wide wide) {
  const auto rest = static_cast<std::uint64_t>(folded(folded(wide)));
  return rest >= kPrime ? rest - kPrime : rest;
}

/// Of the word with number `word`.
std::uint64_t multiplier(std::uint64_t word) {
  std::uint64_t x = (word + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return ((x ^ (x >> 31)) & kPrime) | 1;
}

/// A word that `bytes` are a part of, from byte `at` on; zeros around them.
std::uint64_t word_around(std::size_t at, std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(reinterpret_cast<std::byte*>(&word) + at, bytes.data(), bytes.size());
  return word;
}

}  // namespace

void ContentSum::add(std::int64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  Wide sum = value_;
  auto number = static_cast<std::uint64_t>(offset) / kWord;
  const auto take = [&](std::size_t at, std::size_t count) {
    const std::uint64_t word = word_around(at, bytes.first(count));
    sum = folded(sum) + Wide{word} * multiplier(number);
    ++number;
    bytes = bytes.subspan(count);
  };
  // The end of a word that an earlier piece began
  if (const std::size_t at = static_cast<std::uint64_t>(offset) % kWord; at > 0)
    take(at, std::min(bytes.size(), kWord - at));
  // Four products have less than 127 bits together
  for (; bytes.size() >= 4 * kWord; number += 4, bytes = bytes.subspan(4 * kWord)) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data(), sizeof words);
    Wide products = 0;
    for (std::size_t i = 0; i < 4; ++i) products += Wide{words[i]} * multiplier(number + i);
    sum = folded(sum) + products;
  }
  while (bytes.size() >= kWord) take(0, kWord);
  if (!bytes.empty()) take(0, bytes.size());
  value_ = reduced(sum);
}

void ContentSum::add(const ContentSum& piece) {
  value_ = reduced(Wide{value_} + piece.value_);
}

}  // namespace synthoscope
