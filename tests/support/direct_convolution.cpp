// SPDX-License-Identifier: MIT
#include "tests/support/direct_convolution.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::test {
namespace {

using fftconv::Shape;

/// The voxel at position i by walking home step by step, as the boundaries are drawn in textbooks;
/// -1 where there is none.
std::int64_t walk_home(Boundary boundary, std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) switch (boundary) {
      case Boundary::zero:
        return -1;
      case Boundary::nearest:
        i = i < 0 ? 0 : n - 1;
        break;
      case Boundary::wrap:
        i += i < 0 ? n : -n;
        break;
      case Boundary::reflect:
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
        break;
      case Boundary::mirror:
        i = n == 1 ? 0 : (i < 0 ? -i : 2 * (n - 1) - i);
        break;
    }
  return i;
}

struct Axis {
  std::int64_t first, count;  ///< result positions relative to the image
};

Axis whole_axis(const fftconv::Problem& p, std::int64_t s, std::int64_t k, std::int64_t c) {
  // A result at o uses f[o - reach_back .. o + reach_ahead]
  const std::int64_t reach_ahead = p.correlate ? k - 1 - c : c, reach_back = k - 1 - reach_ahead;
  if (p.shape == Shape::same) return {0, s};
  if (p.shape == Shape::full) return {-reach_ahead, s + k - 1};
  return {reach_back, s - k + 1};
}

/// The part of an axis that is wanted; all of it if `count` is 0.
Axis part_of(const Axis& axis, std::int64_t first, std::int64_t count) {
  return count == 0 ? axis : Axis{axis.first + first, count};
}

}  // namespace

Volume<long double> direct_convolution(const Volume<double>& f, const Volume<double>& g,
                                       const fftconv::Problem& p) {
  const Extent3 s = f.extent, k = g.extent;
  const Index3& first = p.part.origin;
  const Extent3& count = p.part.size;
  const Axis az = part_of(whole_axis(p, s.z, k.z, p.center.z), first.z, count.z),
             ay = part_of(whole_axis(p, s.y, k.y, p.center.y), first.y, count.y),
             ax = part_of(whole_axis(p, s.x, k.x, p.center.x), first.x, count.x);
  const std::int64_t sign = p.correlate ? 1 : -1;
  Volume<long double> h{{az.count, ay.count, ax.count}};
  for (std::int64_t z = 0; z < az.count; ++z)
    for (std::int64_t y = 0; y < ay.count; ++y)
      for (std::int64_t x = 0; x < ax.count; ++x) {
        long double sum = 0;
        for (std::int64_t c = 0; c < k.z; ++c) {
          const auto fz = walk_home(p.boundary, az.first + z + sign * (c - p.center.z), s.z);
          for (std::int64_t b = 0; fz >= 0 && b < k.y; ++b) {
            const auto fy = walk_home(p.boundary, ay.first + y + sign * (b - p.center.y), s.y);
            for (std::int64_t a = 0; fy >= 0 && a < k.x; ++a) {
              const auto fx = walk_home(p.boundary, ax.first + x + sign * (a - p.center.x), s.x);
              if (fx >= 0)
                sum += static_cast<long double>(f.view()(fz, fy, fx)) *
                       static_cast<long double>(g.view()(c, b, a));
            }
          }
        }
        h.view()(z, y, x) = sum;
      }
  return h;
}

long double peak_of_absolutes(const Volume<double>& image, const Volume<double>& kernel,
                              const fftconv::Problem& problem) {
  const auto absolute = [](Volume<double> v) {
    for (double& x : v.voxels) x = std::abs(x);
    return v;
  };
  const auto h = direct_convolution(absolute(image), absolute(kernel), problem);
  return *std::max_element(h.voxels.begin(), h.voxels.end());
}

}  // namespace synthoscope::test
