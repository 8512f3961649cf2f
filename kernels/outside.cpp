// SPDX-License-Identifier: MIT
#include "kernels/outside.hpp"
#include <algorithm>
#include <cmath>
#include "core/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<Outside, 7> kOutsideNames{{{Outside::zero, "zero"},
                                               {Outside::grid_constant, "grid-constant"},
                                               {Outside::nearest, "nearest"},
                                               {Outside::reflect, "reflect"},
                                               {Outside::mirror, "mirror"},
                                               {Outside::wrap, "wrap"},
                                               {Outside::scipy_wrap, "scipy-wrap"}}};

/// Far beyond every image; sums with it are exact to 2^-12.
constexpr double kFar = 0x1p40;

double limited(double c) {
  return c >= -kFar ? std::min(c, kFar) : -kFar;
}

/// Where a coordinate lies in a period of n - 1: as scipy.ndimage, at the far end of it for whole
/// numbers of periods before the image, at the near end behind.
double in_period(double c, std::int64_t n) {
  if (n == 1) return 0;
  const double period = static_cast<double>(n - 1);
  if (c < 0) return c + period * (std::trunc(-c / period) + 1);
  return c > period ? c - period * std::trunc(c / period) : c;
}

/// Where in the image, or half a voxel beside it, the value at `c` is repeated from.
double brought_in(Outside outside, double c, std::int64_t n) {
  const double last = static_cast<double>(n - 1);
  if (c >= 0 && c <= last) return c;
  const auto in_steps_of = [c](double period) { return c - period * std::floor(c / period); };
  switch (outside) {
    case Outside::reflect: {
      const double there = in_steps_of(2 * last + 2);
      // Half a voxel before the image belongs to its first voxel as it stands
      if (there >= 2 * last + 1.5) return there - (2 * last + 2);
      return there < last + 1 ? there : 2 * last + 1 - there;
    }
    case Outside::mirror: {
      if (n == 1) return 0;
      const double there = in_steps_of(2 * last);
      // As scipy.ndimage has it, half a voxel behind the image is not yet turned back
      return there <= last || (c > 0 && there < last + 1) ? there : 2 * last - there;
    }
    case Outside::wrap:
      return in_steps_of(last + 1);
    case Outside::scipy_wrap:
      return in_period(c, n);
    default:
      return c;
  }
}

}  // namespace

std::string_view name_of(Outside outside) {
  return name_in(kOutsideNames, outside);
}

std::optional<Outside> outside_named(std::string_view name) {
  return named_in(kOutsideNames, name);
}

Boundary boundary_of(Outside outside) {
  switch (outside) {
    case Outside::grid_constant:
      return Boundary::zero;
    case Outside::nearest:
      return Boundary::nearest;
    case Outside::reflect:
      return Boundary::reflect;
    case Outside::wrap:
      return Boundary::wrap;
    case Outside::zero:
    case Outside::mirror:
    case Outside::scipy_wrap:
      break;
  }
  return Boundary::mirror;
}

double placed(Outside outside, double c, std::int64_t n, std::int64_t margin) {
  const double limit = limited(c), last = static_cast<double>(n - 1);
  const double beyond = static_cast<double>(margin);
  switch (outside) {
    case Outside::zero:
      return std::clamp(limit, 0.0, last);
    case Outside::nearest:
    case Outside::grid_constant:
      return std::clamp(limit, -beyond, last + beyond);
    case Outside::scipy_wrap:
      return in_period(limit, n);
    case Outside::reflect:
    case Outside::mirror:
    case Outside::wrap:
      break;
  }
  return limit;
}

std::int64_t nearest_voxel(Outside outside, double c, std::int64_t n) {
  const double limit = limited(c);
  if (outside == Outside::zero && !has_value(limit, n)) return kOutside;
  const double there = brought_in(outside, limit, n);
  return mapped_index(boundary_of(outside), static_cast<std::int64_t>(std::floor(there + 0.5)), n);
}

PlacedRange placed_range(Outside outside, double low, double high, std::int64_t n,
                         std::int64_t margin) {
  if (std::isnan(low) || std::isnan(high)) low = -INFINITY, high = INFINITY;
  const double last = static_cast<double>(n - 1);
  if (outside == Outside::scipy_wrap) {
    if (low >= 0 && high <= last) return {low, high};
    return {0, last};
  }
  return {placed(outside, low, n, margin), placed(outside, high, n, margin)};
}

}  // namespace synthoscope::kernels
