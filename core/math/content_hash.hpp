// SPDX-License-Identifier: MIT
// core/math/content_hash.hpp — XXH64 and XXH3, hashes that detect changed bytes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct XXH64_state_s;
struct XXH3_state_s;

namespace synthoscope {

/// XXH64 with seed 0, fed piece by piece. Recognises changed content; no defence against forgery.
/// @source  https://github.com/Cyan4973/xxHash; `xxhsum -H1 FILE` prints the same digits.
class ContentHash {
 public:
  ContentHash();

  void update(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct Free {
    void operator()(XXH64_state_s* state) const;
  };
  std::unique_ptr<XXH64_state_s, Free> state_;
};

/// XXH3 of 64 bits with seed 0, fed piece by piece: twice as fast as XXH64.
/// @source  https://github.com/Cyan4973/xxHash; `xxhsum -H3 FILE` prints the same digits.
class BlockHash {
 public:
  BlockHash();

  /// Returns the hash of `bytes` alone.
  static std::uint64_t of(std::span<const std::byte> bytes);

  void update(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

/// XXH3 of 128 bits with seed 0, the high half first. Long enough to identify contents by their
/// hash. No defence against forgery.
/// @source  https://github.com/Cyan4973/xxHash; `xxhsum -H2 FILE` prints the same digits.
using WideHash = std::array<std::uint64_t, 2>;
WideHash wide_hash(std::span<const std::byte> bytes);

}  // namespace synthoscope
