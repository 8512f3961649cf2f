// SPDX-License-Identifier: MIT
#include "fftconv/fft/line_plan.hpp"
#include <fmt/format.h>
#include <cmath>
#include <complex>
#include <numbers>
#include "core/base/error.hpp"

namespace synthoscope::fftconv {

UnitRoots::UnitRoots(std::int64_t order)
    : step_{static_cast<std::int64_t>(std::sqrt(static_cast<double>(order))) + 1} {
  const auto root = [&](std::int64_t m) -> Root {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(m) /
                              static_cast<long double>(order);
    return {std::cos(angle), std::sin(angle)};
  };
  for (std::int64_t m = 0; m < step_; ++m) fine_.push_back(root(m));
  for (std::int64_t m = 0; m < order; m += step_) coarse_.push_back(root(m));
}

namespace {

/// Appends a root, rounded to the precision it is stored in.
template <class Real>
void append(std::vector<Real>& table, const std::complex<long double>& root) {
  table.push_back(static_cast<Real>(root.real()));
  table.push_back(static_cast<Real>(root.imag()));
}

}  // namespace

bool can_transform(std::int64_t length) {
  return visit_radices(length, [](int) {});
}

std::vector<int> radices_of(std::int64_t length) {
  std::vector<int> radices;
  if (!visit_radices(length, [&](int radix) { radices.push_back(radix); })) radices.clear();
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
  const UnitRoots roots{length};
  std::int64_t block = length;
  for (const int radix : radices) {
    plan.stages.push_back({radix, block, static_cast<std::int64_t>(plan.twiddles.size())});
    const std::int64_t next = block / radix;
    for (std::int64_t p = 0; p < next; ++p)
      for (int k = 1; k < radix; ++k) append(plan.twiddles, roots.at(p * k * (length / block)));
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
  const UnitRoots roots{4 * half};
  for (std::int64_t m = 0; m < half; ++m) append(table, roots.at(m));
  return table;
}

template std::vector<float> half_shift_twiddles(std::int64_t);
template std::vector<double> half_shift_twiddles(std::int64_t);

}  // namespace synthoscope::fftconv
