// SPDX-License-Identifier: MIT
// core/math/content_hash.hpp — XXH64, a hash that detects changed bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace synthoscope {

/// XXH64 with seed 0, fed piece by piece. Recognises changed content; no defence against forgery.
/// @source  XXH64 algorithm description, https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md;
///          `xxhsum -H1 FILE` prints the same digits.
class ContentHash {
 public:
  void update(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::size_t kStripe = 32;
  void consume(const std::byte* stripe);

  std::array<std::uint64_t, 4> lanes_ = kStart;
  std::array<std::byte, kStripe> tail_{};
  std::size_t tail_size_ = 0;
  std::uint64_t total_ = 0;

  static const std::array<std::uint64_t, 4> kStart;
};

}  // namespace synthoscope
