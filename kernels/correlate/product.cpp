// SPDX-License-Identifier: MIT
#include "kernels/correlate/product.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace synthoscope::kernels {
namespace {

constexpr int kFittingSweeps = 2;

using AxisFactors = std::array<std::vector<double>, 3>;  ///< along z, y, x

/// Calls `body(weight, {z, y, x})` for every weight.
template <class Body>
void for_each_weight(const Stencil& stencil, Body&& body) {
  const Extent3& e = stencil.extent;
  const double* weight = stencil.weights.data();
  for (std::size_t z = 0; z < static_cast<std::size_t>(e.z); ++z)
    for (std::size_t y = 0; y < static_cast<std::size_t>(e.y); ++y)
      for (std::size_t x = 0; x < static_cast<std::size_t>(e.x); ++x)
        body(*weight++, std::array{z, y, x});
}

/// Sum and largest of the absolute values of a kernel's weights.
struct Magnitude {
  double sum = 0, largest = 0;
};

/// Eight sums and maxima, put together last: they do not wait for each other.
Magnitude magnitude_of(const std::vector<double>& weights) {
  constexpr std::size_t kLanes = 8;
  std::array<Magnitude, kLanes> lanes{};
  const auto take = [](Magnitude& lane, double weight) {
    const double size = std::abs(weight);
    lane.sum += size;
    lane.largest = size > lane.largest ? size : lane.largest;
  };
  std::size_t i = 0;
  for (; i + kLanes <= weights.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) take(lanes[lane], weights[i + lane]);
  for (; i < weights.size(); ++i) take(lanes[0], weights[i]);
  Magnitude all;
  for (const Magnitude& lane : lanes) {
    all.sum += lane.sum;
    all.largest = std::max(all.largest, lane.largest);
  }
  return all;
}

/// Returns the lines through the first weight whose absolute value is `size`. The lines along z and
/// y are divided by that weight.
AxisFactors lines_through(const Stencil& stencil, double size) {
  const auto& weights = stencil.weights;
  const auto largest =
      std::ranges::find_if(weights, [&](double weight) { return std::abs(weight) == size; });
  const double unit = *largest == 0 ? 1 : *largest;
  const std::int64_t at = largest - weights.begin();
  const Extent3& e = stencil.extent;
  const std::array<std::int64_t, 3> extent{e.z, e.y, e.x}, apart{e.y * e.x, e.x, 1};
  AxisFactors factors;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t first = at - at / apart[axis] % extent[axis] * apart[axis];
    for (std::int64_t i = 0; i < extent[axis]; ++i) {
      const double weight = weights[static_cast<std::size_t>(first + i * apart[axis])];
      factors[axis].push_back(axis == 2 ? weight : weight / unit);
    }
  }
  return factors;
}

/// Fits the weights along `axis` while the others are fixed.
void fit(const Stencil& stencil, std::size_t axis, AxisFactors& factors) {
  std::vector<double>& own = factors[axis];
  const std::vector<double>&one = factors[(axis + 1) % 3], &other = factors[(axis + 2) % 3];
  std::fill(own.begin(), own.end(), 0.0);
  for_each_weight(stencil, [&](double weight, const auto& at) {
    own[at[axis]] += weight * one[at[(axis + 1) % 3]] * other[at[(axis + 2) % 3]];
  });
  const auto square = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double value : v) sum += value * value;
    return sum;
  };
  const double scale = square(one) * square(other);
  for (double& value : own) value /= scale;
}

/// Returns whether a weight is farther from the product of the lines through the largest weight
/// than is possible for a product. In a product, each weight, and so each of the three factors, is
/// off by at most the tolerance. Most kernels that are no product are recognized by their first
/// weights.
bool cannot_be_product(const Stencil& stencil, const AxisFactors& lines, double all) {
  constexpr double kMaxOff = 8 * kProductTolerance;  // of the three factors and their product
  const Extent3& e = stencil.extent;
  const double* weight = stencil.weights.data();
  for (std::size_t z = 0; z < static_cast<std::size_t>(e.z); ++z)
    for (std::size_t y = 0; y < static_cast<std::size_t>(e.y); ++y)
      for (std::size_t x = 0; x < static_cast<std::size_t>(e.x); ++x)
        if (!(std::abs(*weight++ - lines[0][z] * lines[1][y] * lines[2][x]) <= kMaxOff * all))
          return true;
  return false;
}

/// Moves the factors of axes of one weight to the longest axis, so that nothing is left to do
/// there.
void join_single_weights(AxisFactors& factors) {
  auto& longest = *std::ranges::max_element(
      factors, {}, [](const std::vector<double>& weights) { return weights.size(); });
  for (auto& single : factors) {
    if (&single == &longest || single.size() > 1) continue;
    for (double& weight : longest) weight *= single[0];
    single[0] = 1;
  }
}

}  // namespace

std::optional<SeparableStencil> as_product(const Stencil& stencil) {
  require_usable(stencil);
  const auto [all, largest] = magnitude_of(stencil.weights);
  AxisFactors factors = lines_through(stencil, largest);
  if (cannot_be_product(stencil, factors, all)) return {};
  for (int sweep = 0; sweep < kFittingSweeps && all > 0; ++sweep)
    for (std::size_t axis = 0; axis < 3; ++axis) fit(stencil, axis, factors);
  join_single_weights(factors);
  double left = 0;
  for_each_weight(stencil, [&](double weight, const auto& at) {
    left += std::abs(weight - factors[0][at[0]] * factors[1][at[1]] * factors[2][at[2]]);
  });
  if (!(left <= kProductTolerance * all)) return {};
  SeparableStencil found =
      separable_stencil(std::move(factors[0]), std::move(factors[1]), std::move(factors[2]));
  found.centre = stencil.centre;
  return found;
}

}  // namespace synthoscope::kernels
