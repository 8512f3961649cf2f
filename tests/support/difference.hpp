// SPDX-License-Identifier: MIT
// tests/support/difference.hpp — how far volumes lie apart, and the boundaries they are made under.
#pragma once
#include <algorithm>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "core/volume/boundary.hpp"

namespace synthoscope::test {

inline constexpr Boundary kBoundaries[] = {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                           Boundary::mirror, Boundary::wrap};

/// The largest difference of two volumes of one extent.
template <class A, class B>
double largest_difference(const Volume<A>& a, const Volume<B>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i)
    largest = std::max(
        largest, std::abs(static_cast<double>(a.voxels[i]) - static_cast<double>(b.voxels[i])));
  return largest;
}

template <class T>
double largest_magnitude(const Volume<T>& volume) {
  return largest_difference(volume, Volume<T>{volume.extent});
}

}  // namespace synthoscope::test
