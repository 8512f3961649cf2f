// SPDX-License-Identifier: MIT
#include "fftconv/fft/line_plan.hpp"
#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include "core/error.hpp"

namespace synthoscope::fftconv {
namespace {

/// Appends exp(-2 pi i numerator / denominator), computed beyond the precision it is stored in.
template <class Real>
void append_root(std::vector<Real>& table, std::int64_t numerator, std::int64_t denominator) {
  const long double angle = -2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(numerator % denominator) /
                            static_cast<long double>(denominator);
  table.push_back(static_cast<Real>(std::cos(angle)));
  table.push_back(static_cast<Real>(std::sin(angle)));
}

}  // namespace

bool can_transform(std::int64_t length) {
  return length == 1 || !radices_of(length).empty();
}

std::vector<int> radices_of(std::int64_t length) {
  std::vector<int> radices;
  if (length < 1) return radices;
  // Eights first, because a pass over memory costs more than a larger butterfly; a power of two
  // ends in 4 x 4 rather than 8 x 2
  for (const int radix : {7, 5, 3})
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  for (; length % 8 == 0 && length != 16; length /= 8) radices.push_back(8);
  for (const int radix : {4, 2})
    for (; length % radix == 0; length /= radix) radices.push_back(radix);
  if (length != 1) radices.clear();
  return radices;
}

template <class Real>
LinePlan<Real> plan_line(std::int64_t length) {
  LinePlan<Real> plan;
  plan.length = length;
  const auto radices = radices_of(length);
  if (length < 1 || (length > 1 && radices.empty()))
    throw InvalidSpec(fmt::format(
        "plan a transform: length {} is not a product of 2, 3, 5 and 7; use one that is", length));
  std::int64_t block = length;
  for (const int radix : radices) {
    plan.stages.push_back({radix, block, static_cast<std::int64_t>(plan.twiddles.size())});
    const std::int64_t next = block / radix;
    for (std::int64_t p = 0; p < next; ++p)
      for (int k = 1; k < radix; ++k) append_root(plan.twiddles, p * k, block);
    block = next;
  }
  return plan;
}

template LinePlan<float> plan_line(std::int64_t);
template LinePlan<double> plan_line(std::int64_t);

template <class Real>
std::vector<Real> half_shift_twiddles(std::int64_t half) {
  std::vector<Real> table;
  table.reserve(static_cast<std::size_t>(2 * half));
  for (std::int64_t m = 0; m < half; ++m) append_root(table, m, 4 * half);
  return table;
}

template std::vector<float> half_shift_twiddles(std::int64_t);
template std::vector<double> half_shift_twiddles(std::int64_t);

}  // namespace synthoscope::fftconv
