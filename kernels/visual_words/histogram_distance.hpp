// SPDX-License-Identifier: MIT
// kernels/visual_words/histogram_distance.hpp — how unlike histograms are, and which of many are
// nearest to one.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace synthoscope::kernels {

/// euclidean: the root of the sum of (a - b)^2.
/// chi_square: half the sum of (a - b)^2 / (a + b), where one of them is positive: 0 to 1 for
///   histograms that add up to 1. Varma and Zisserman, Int. J. Comput. Vis. 62, 61-81 (2005),
///   doi:10.1007/s11263-005-4635-4.
/// intersection: 1 less the sum of the smaller ones, for histograms that add up to 1. Swain and
///   Ballard, Int. J. Comput. Vis. 7, 11-32 (1991), doi:10.1007/BF00130487.
enum class HistogramDistance { euclidean, chi_square, intersection };

std::string_view name_of(HistogramDistance distance);
std::optional<HistogramDistance> histogram_distance_named(std::string_view name);

/// Added up in double, in order. @param a, b  as long; not negative
double distance(HistogramDistance how, std::span<const float> a, std::span<const float> b);

/// One of many histograms.
struct Neighbour {
  std::int64_t index = 0;
  double distance = 0;
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

/// The `wanted` nearest of many histograms, or all, nearest first; of equally near ones the first.
/// @param many  one behind the other, each as long as `histogram`
std::vector<Neighbour> nearest(HistogramDistance how, std::span<const float> histogram,
                               std::span<const float> many, std::int64_t wanted = 1);

/// The class of most of the neighbours; of equally many, that of the nearest.
/// @param neighbours  at least one, nearest first
/// @param classes     of all that `nearest` was given
std::int64_t class_of(std::span<const Neighbour> neighbours, std::span<const std::int64_t> classes);

}  // namespace synthoscope::kernels
