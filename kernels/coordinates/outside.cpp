// SPDX-License-Identifier: MIT
#include "kernels/coordinates/outside.hpp"
#include "core/base/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<Outside, 7> kOutsideNames{{{Outside::zero, "zero"},
                                               {Outside::grid_constant, "grid-constant"},
                                               {Outside::nearest, "nearest"},
                                               {Outside::reflect, "reflect"},
                                               {Outside::mirror, "mirror"},
                                               {Outside::wrap, "wrap"},
                                               {Outside::scipy_wrap, "scipy-wrap"}}};

}  // namespace

std::string_view name_of(Outside outside) {
  return name_in(kOutsideNames, outside);
}

std::optional<Outside> outside_named(std::string_view name) {
  return named_in(kOutsideNames, name);
}

PlacedRange placed_range(Outside outside, double low, double high, std::int64_t n) {
  if (std::isnan(low) || std::isnan(high)) low = -INFINITY, high = INFINITY;
  const double last = static_cast<double>(n - 1);
  if (outside == Outside::scipy_wrap) {
    if (low >= 0 && high <= last) return {low, high};
    return {0, last};
  }
  return {placed(outside, low, n), placed(outside, high, n)};
}

}  // namespace synthoscope::kernels
