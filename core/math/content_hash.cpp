// SPDX-License-Identifier: MIT
#include "core/math/content_hash.hpp"
#include <algorithm>
#include <bit>
#include <cstring>

namespace synthoscope {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u, kPrime2 = 0xC2B2AE3D27D4EB4Fu,
                        kPrime3 = 0x165667B19E3779F9u, kPrime4 = 0x85EBCA77C2B2AE63u,
                        kPrime5 = 0x27D4EB2F165667C5u;

template <class Word>
std::uint64_t word_at(const std::byte* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t round_of(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

}  // namespace

const std::array<std::uint64_t, 4> ContentHash::kStart{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};

void ContentHash::consume(const std::byte* stripe) {
  for (std::size_t i = 0; i < 4; ++i)
    lanes_[i] = round_of(lanes_[i], word_at<std::uint64_t>(stripe + 8 * i));
}

void ContentHash::update(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  total_ += bytes.size();
  // Complete the stripe that an earlier piece began
  if (tail_size_ > 0) {
    const auto taken = std::min(kStripe - tail_size_, bytes.size());
    std::memcpy(tail_.data() + tail_size_, bytes.data(), taken);
    tail_size_ += taken;
    bytes = bytes.subspan(taken);
    if (tail_size_ < kStripe) return;
    consume(tail_.data());
    tail_size_ = 0;
  }
  for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) consume(bytes.data());
  std::copy(bytes.begin(), bytes.end(), tail_.begin());
  tail_size_ = bytes.size();
}

std::uint64_t ContentHash::value() const {
  std::uint64_t h = kPrime5;
  if (total_ >= kStripe) {
    h = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
        std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) h = (h ^ round_of(0, lane)) * kPrime1 + kPrime4;
  }
  h += total_;
  std::size_t i = 0;
  for (; i + 8 <= tail_size_; i += 8)
    h = std::rotl(h ^ round_of(0, word_at<std::uint64_t>(tail_.data() + i)), 27) * kPrime1 +
        kPrime4;
  for (; i + 4 <= tail_size_; i += 4)
    h = std::rotl(h ^ word_at<std::uint32_t>(tail_.data() + i) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; i < tail_size_; ++i)
    h = std::rotl(h ^ std::to_integer<std::uint64_t>(tail_[i]) * kPrime5, 11) * kPrime1;
  h = (h ^ h >> 33) * kPrime2;
  h = (h ^ h >> 29) * kPrime3;
  return h ^ h >> 32;
}

}  // namespace synthoscope
