// SPDX-License-Identifier: MIT
#include "textures/patches/grey_plane.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::textures {
namespace {

constexpr double kTruncatedAt = 4;  ///< sigma

/// Returns the weights of positions 0, 1, 2 ... of a Gaussian whose sum over both sides is 1.
std::vector<double> gaussian_weights(double sigma) {
  const auto radius = static_cast<std::size_t>(std::lround(kTruncatedAt * sigma));
  std::vector<double> weights(radius + 1);
  double sum = 0;
  for (std::size_t i = 0; i <= radius; ++i) {
    const double at = static_cast<double>(i) / sigma;
    weights[i] = std::exp(-0.5 * at * at);
    sum += (i == 0 ? 1 : 2) * weights[i];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Returns the place that a mirrored line of `length` has at `i`: d c b a | a b c d | d c b a.
std::int64_t mirrored(std::int64_t i, std::int64_t length) {
  const std::int64_t period = 2 * length;
  const std::int64_t in_period = ((i % period) + period) % period;
  return in_period < length ? in_period : period - 1 - in_period;
}

/// Copies a line with its mirrored surroundings, and sums it up with the weights.
void blur_line(const std::vector<double>& weights, std::vector<double>& extended,
               std::span<double> line) {
  const auto radius = std::ssize(weights) - 1, length = std::ssize(line);
  extended.resize(static_cast<std::size_t>(length + 2 * radius));
  for (std::int64_t i = -radius; i < length + radius; ++i)
    extended[static_cast<std::size_t>(i + radius)] =
        line[static_cast<std::size_t>(mirrored(i, length))];
  for (std::int64_t i = 0; i < length; ++i) {
    const double* const middle = extended.data() + i + radius;
    double sum = weights[0] * middle[0];
    for (std::int64_t j = 1; j <= radius; ++j)
      sum += weights[static_cast<std::size_t>(j)] * (middle[j] + middle[-j]);
    line[static_cast<std::size_t>(i)] = sum;
  }
}

}  // namespace

GreyPlane blurred(const GreyPlane& plane, double sigma) {
  const std::vector<double> weights = gaussian_weights(sigma);
  std::vector<double> extended, column(static_cast<std::size_t>(plane.height));
  GreyPlane result = plane;
  for (std::int64_t x = 0; x < plane.width; ++x) {
    for (std::int64_t y = 0; y < plane.height; ++y)
      column[static_cast<std::size_t>(y)] = result.at(y, x);
    blur_line(weights, extended, column);
    for (std::int64_t y = 0; y < plane.height; ++y)
      result.at(y, x) = column[static_cast<std::size_t>(y)];
  }
  for (std::int64_t y = 0; y < plane.height; ++y)
    blur_line(weights, extended, {&result.at(y, 0), static_cast<std::size_t>(plane.width)});
  return result;
}

double quantile_of_sorted(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double quantile_of(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return quantile_of_sorted(values, share);
}

}  // namespace synthoscope::textures
