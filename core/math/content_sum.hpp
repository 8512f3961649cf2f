// SPDX-License-Identifier: MIT
// core/math/content_sum.hpp — a sum that shows whether bytes were changed; pieces may come in any
// order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace synthoscope {

/// The sum of a file's words of 8 bytes modulo 2^61 - 1, each multiplied by a number that depends
/// on its place. Sums of disjoint pieces add up to the sum of the whole. Bytes that are zero or
/// missing add nothing. It detects changes, and is no defence against forgery.
/// @source  multilinear hashing: Carter and Wegman, Universal classes of hash functions, 1979,
///          doi:10.1016/0022-0000(79)90044-8; multipliers are those of SplitMix64, Steele et al.,
///          2014, doi:10.1145/2660193.2660195.
class ContentSum {
 public:
  constexpr ContentSum() = default;
  /// `value` of an earlier sum.
  explicit constexpr ContentSum(std::int64_t value) : value_{static_cast<std::uint64_t>(value)} {}

  /// Adds `bytes`, which lie at byte `offset` >= 0 of the whole.
  void add(std::int64_t offset, std::span<const std::byte> bytes);

  /// Adds the sum of another piece.
  void add(const ContentSum& piece);

  /// 0 ... 2^61 - 2
  [[nodiscard]] constexpr std::int64_t value() const { return static_cast<std::int64_t>(value_); }

  friend constexpr bool operator==(const ContentSum&, const ContentSum&) = default;

 private:
  std::uint64_t value_ = 0;
};

}  // namespace synthoscope
