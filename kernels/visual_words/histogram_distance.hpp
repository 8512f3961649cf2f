// SPDX-License-Identifier: MIT
// kernels/visual_words/histogram_distance.hpp — how much histograms differ.
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace synthoscope::kernels {

/// euclidean: the root of the sum of (a - b)^2.
/// chi_square: half the sum of (a - b)^2 / (a + b) over bins in which one of them is positive: 0 to
///   1 for histograms that add up to 1. Varma and Zisserman, Int. J. Comput. Vis. 62, 61-81 (2005),
///   doi:10.1007/s11263-005-4635-4.
/// intersection: 1 minus the sum of the smaller ones, for histograms that add up to 1. Swain and
///   Ballard, Int. J. Comput. Vis. 7, 11-32 (1991), doi:10.1007/BF00130487.
enum class HistogramDistance { euclidean, chi_square, intersection };

std::string_view name_of(HistogramDistance distance);
std::optional<HistogramDistance> histogram_distance_named(std::string_view name);

/// Returns the distance of two histograms, added up in double, in order.
/// @param a, b  of equal length; not negative
double distance(HistogramDistance how, std::span<const float> a, std::span<const float> b);

}  // namespace synthoscope::kernels
