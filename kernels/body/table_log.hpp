// SPDX-License-Identifier: MIT
// kernels/body/table_log.hpp — a logarithm for sums of many terms, with the same bits on hosts and
// devices: by a table, without a division. Host and device compile this file.
#pragma once
#include <bit>
#include <cstdint>
#include "core/math/elementary.hpp"

namespace synthoscope::kernels {

/// Inverses and logarithms of the middles of equal parts of [1, 2).
struct LogTable {
  static constexpr int kBits = 7, kParts = 1 << kBits;
  double inverse[kParts] = {}, log[kParts] = {};
};

constexpr LogTable log_table() {
  LogTable table;
  for (int i = 0; i < LogTable::kParts; ++i) {
    const double middle = 1 + (i + 0.5) / LogTable::kParts;
    table.inverse[i] = 1 / middle;
    table.log[i] = portable::log(middle);
  }
  return table;
}
inline constexpr LogTable kLogTable = log_table();

/// Returns the natural logarithm of a normal positive number; some finite number for 0.
/// @accuracy  5e-16 (1 + |log x|): near 1, where logarithms vanish, this is an absolute error
constexpr double table_log(double x) {
  constexpr int kBelow = 52 - LogTable::kBits;  // bits of a position within a part
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t kOne = std::uint64_t{0x3FF} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  // An integer below 2^52 under the exponent of 2^52 reads as 2^52 plus the integer
  const double exponent =
      std::bit_cast<double>((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
  const double mantissa = std::bit_cast<double>((bits & kFraction) | kOne);
  const std::uint64_t part = (bits & kFraction) >> kBelow;
  const double middle =
      std::bit_cast<double>((part << kBelow) | (std::uint64_t{1} << (kBelow - 1)) | kOne);

  // log m = log c + log(1 + r), |r| < 2^-8: the error of its series is below 2e-18
  const double r = (mantissa - middle) * kLogTable.inverse[part];
  double series = -1.0 / 6;
  for (int k = 5; k >= 2; --k) series = series * r + (k % 2 ? 1.0 : -1.0) / k;
  return (exponent * 0.69314718055994531 + kLogTable.log[part]) + (r + r * r * series);
}

}  // namespace synthoscope::kernels
