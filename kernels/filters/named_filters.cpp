// SPDX-License-Identifier: MIT
#include "kernels/filters/named_filters.hpp"
#include <cmath>
#include <numbers>
#include <numeric>

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kMaxOrder = 8;
constexpr double kMaxRadius = 100000, kMaxGaborRadius = 1000;

/// Hermite's polynomial of probability theory: He_0 = 1, He_1 = t, He_n+1 = t He_n - n He_n-1.
double hermite(std::int64_t n, double t) {
  double before = 0, value = 1;
  for (std::int64_t i = 0; i < n; ++i)
    before = std::exchange(value, t * value - static_cast<double>(i) * before);
  return value;
}

std::vector<double> smoothing(SlopeFilter filter) {
  switch (filter) {
    case SlopeFilter::sobel:
      return {1, 2, 1};
    case SlopeFilter::prewitt:
      return {1, 1, 1};
    case SlopeFilter::scharr:
      break;
  }
  return {3, 10, 3};
}

SeparableStencil from_axes(PerAxis<std::vector<double>> weights) {
  return separable_stencil(std::move(weights[0]), std::move(weights[1]), std::move(weights[2]));
}

void require_positive(std::string_view what, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw InvalidSpec(
        fmt::format("filter: the {} of the kernel is {}; give a positive number", what, value));
}

}  // namespace

std::vector<double> gaussian_weights(double sigma, double truncate, std::int64_t order) {
  if (!(sigma >= 0 && std::isfinite(sigma)))
    throw InvalidSpec(fmt::format(
        "filter: the standard deviation of the Gaussian is {}; give 0 or more voxels", sigma));
  require_positive("cut (--truncate)", truncate);
  if (order < 0 || order > kMaxOrder || (order > 0 && sigma == 0))
    throw InvalidSpec(fmt::format(
        "filter: derivative {} of a Gaussian of {} voxels is requested; orders are 0 to "
        "{}, and 0 if there is no Gaussian",
        order, sigma, kMaxOrder));
  if (sigma == 0) return {1};
  const double radius = std::floor(truncate * sigma + 0.5);
  if (radius > kMaxRadius)
    throw InvalidSpec(fmt::format(
        "filter: the Gaussian of {} voxels reaches {} voxels far; it may reach {}; give a smaller "
        "one, or convolve with a file",
        sigma, radius, kMaxRadius));
  std::vector<double> weights;
  for (double d = -radius; d <= radius; ++d)
    weights.push_back(std::exp(-d * d / (2 * sigma * sigma)));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double t = (static_cast<double>(i) - radius) / sigma;
    weights[i] *= hermite(order, t) / std::pow(sigma, static_cast<double>(order)) / sum;
  }
  return weights;
}

SeparableStencil gaussian(const PerAxis<double>& sigma, double truncate,
                          const PerAxis<std::int64_t>& order) {
  PerAxis<std::vector<double>> weights;
  for (std::size_t axis = 0; axis < 3; ++axis)
    weights[axis] = gaussian_weights(sigma[axis], truncate, order[axis]);
  return from_axes(std::move(weights));
}

SeparableStencil box(const PerAxis<std::int64_t>& sizes) {
  PerAxis<std::vector<double>> weights;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (sizes[axis] < 1 || sizes[axis] > static_cast<std::int64_t>(kMaxRadius))
      throw InvalidSpec(fmt::format("filter: the box has {} voxels along an axis; give 1 to {}",
                                    sizes[axis], kMaxRadius));
    weights[axis].assign(static_cast<std::size_t>(sizes[axis]),
                         1 / static_cast<double>(sizes[axis]));
  }
  return from_axes(std::move(weights));
}

SeparableStencil slope(SlopeFilter filter, std::size_t axis, const PerAxis<bool>& active) {
  PerAxis<std::vector<double>> weights;
  for (std::size_t i = 0; i < 3; ++i)
    weights[i] = i == axis   ? std::vector<double>{-1, 0, 1}
                 : active[i] ? smoothing(filter)
                             : std::vector<double>{1};
  return from_axes(std::move(weights));
}

Stencil laplacian(const PerAxis<bool>& active) {
  const auto size = [&](std::size_t axis) { return active[axis] ? std::int64_t{3} : 1; };
  const Extent3 extent{size(0), size(1), size(2)};
  Stencil stencil =
      correlation_stencil(extent, std::vector<double>(static_cast<std::size_t>(volume(extent))));
  const std::int64_t middle = volume(extent) / 2;
  const PerAxis<std::int64_t> strides{extent.y * extent.x, extent.x, 1};
  const auto at = [&](std::int64_t i) -> double& {
    return stencil.weights[static_cast<std::size_t>(i)];
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!active[axis]) continue;
    at(middle) -= 2;
    at(middle - strides[axis]) += 1;
    at(middle + strides[axis]) += 1;
  }
  return stencil;
}

SeparableStencil laplacian_of_gaussian(const PerAxis<double>& sigma, double truncate) {
  SeparableStencil sum = gaussian(sigma, truncate);
  const auto smooth = sum.terms[0];
  const auto second = [&](std::size_t axis) { return gaussian_weights(sigma[axis], truncate, 2); };
  sum.terms.clear();
  SeparableStencil::Term in_planes{smooth.z, {}};
  if (sigma[1] > 0) in_planes.planes.push_back({second(1), smooth.planes[0].x});
  if (sigma[2] > 0) in_planes.planes.push_back({smooth.planes[0].y, second(2)});
  if (!in_planes.planes.empty()) sum.terms.push_back(std::move(in_planes));
  if (sigma[0] > 0) sum.terms.push_back({second(0), smooth.planes});
  if (sum.terms.empty())
    throw InvalidSpec(
        "filter: the Laplacian of a Gaussian has a standard deviation of 0 along every axis; give "
        "a positive one");
  return sum;
}

SeparableStencil difference_of_gaussians(const PerAxis<double>& sigma, double ratio,
                                         double truncate) {
  require_positive("ratio of widths", ratio);
  if (ratio == 1)
    throw InvalidSpec(
        "difference of Gaussians: both are equally wide, so nothing is left; give a ratio other "
        "than 1");
  return difference_of(gaussian(sigma, truncate),
                       gaussian({sigma[0] * ratio, sigma[1] * ratio, sigma[2] * ratio}, truncate));
}

Stencil gabor(const GaborSpec& spec, double truncate) {
  require_positive("standard deviation", spec.sigma);
  require_positive("wavelength", spec.wavelength);
  require_positive("aspect", spec.aspect);
  require_positive("cut (--truncate)", truncate);
  const double reach = std::floor(truncate * spec.sigma / std::min(spec.aspect, 1.0) + 0.5);
  if (reach > kMaxGaborRadius)
    throw InvalidSpec(
        fmt::format("filter: the Gabor filter reaches {} voxels far; it may reach {}; give a "
                    "smaller --sigma or --truncate",
                    reach, kMaxGaborRadius));
  constexpr double kDegree = std::numbers::pi / 180;
  const double cosine = std::cos(spec.orientation_degrees * kDegree);
  const double sine = std::sin(spec.orientation_degrees * kDegree);
  std::vector<double> weights;
  for (double y = -reach; y <= reach; ++y)
    for (double x = -reach; x <= reach; ++x) {
      const double u = x * cosine + y * sine, v = spec.aspect * (y * cosine - x * sine);
      weights.push_back(
          std::exp(-(u * u + v * v) / (2 * spec.sigma * spec.sigma)) *
          std::cos(2 * std::numbers::pi * u / spec.wavelength + spec.phase_degrees * kDegree));
    }
  const auto size = 2 * static_cast<std::int64_t>(reach) + 1;
  return correlation_stencil({1, size, size}, std::move(weights));
}

}  // namespace synthoscope::kernels
