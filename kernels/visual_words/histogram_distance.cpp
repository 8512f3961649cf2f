// SPDX-License-Identifier: MIT
#include "kernels/visual_words/histogram_distance.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/assert.hpp"
#include "core/base/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<HistogramDistance, 3> kDistanceNames{
    {{HistogramDistance::euclidean, "euclidean"},
     {HistogramDistance::chi_square, "chi-square"},
     {HistogramDistance::intersection, "intersection"}}};

template <class Term>
double sum_of(std::span<const float> a, std::span<const float> b, const Term& term) {
  SYNTHOSCOPE_ASSERT(a.size(), ==, b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += term(double{a[i]}, double{b[i]});
  return sum;
}

}  // namespace

std::string_view name_of(HistogramDistance distance) {
  return name_in(kDistanceNames, distance);
}

std::optional<HistogramDistance> histogram_distance_named(std::string_view name) {
  return named_in(kDistanceNames, name);
}

double distance(HistogramDistance how, std::span<const float> a, std::span<const float> b) {
  switch (how) {
    case HistogramDistance::euclidean:
      return std::sqrt(sum_of(a, b, [](double p, double q) { return (p - q) * (p - q); }));
    case HistogramDistance::chi_square:
      return sum_of(
                 a, b,
                 [](double p, double q) { return p + q > 0 ? (p - q) * (p - q) / (p + q) : 0; }) /
             2;
    case HistogramDistance::intersection:
      return 1 - sum_of(a, b, [](double p, double q) { return std::min(p, q); });
  }
  return 0;
}

}  // namespace synthoscope::kernels
