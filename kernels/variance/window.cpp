// SPDX-License-Identifier: MIT
#include "kernels/variance/window.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<WindowShape, 3> kWindowShapeNames{{{WindowShape::triangle, "triangle"},
                                                       {WindowShape::box, "box"},
                                                       {WindowShape::gaussian, "gaussian"}}};

constexpr double kLargestReach = 1 << 20;

std::int64_t reach_along(WindowShape shape, double size) {
  switch (shape) {
    case WindowShape::triangle:
      return static_cast<std::int64_t>(size) - 1;
    case WindowShape::box:
      return (static_cast<std::int64_t>(size) - 1) / 2;
    case WindowShape::gaussian:
      break;
  }
  return static_cast<std::int64_t>(std::floor(4 * size + 0.5));
}

bool is_valid(WindowShape shape, double size) {
  if (!(size >= 0 && size <= kLargestReach / 4)) return false;
  if (shape == WindowShape::gaussian) return true;
  const bool is_whole = size >= 1 && size == std::floor(size);
  return is_whole && (shape == WindowShape::triangle || std::fmod(size, 2) == 1);
}

}  // namespace

std::string_view name_of(WindowShape shape) {
  return name_in(kWindowShapeNames, shape);
}

std::optional<WindowShape> window_shape_named(std::string_view name) {
  return named_in(kWindowShapeNames, name);
}

LocalWindow window_for(WindowShape shape, double size, const Extent3& image) {
  const double none = shape == WindowShape::gaussian ? 0 : 1;
  return {shape, image.z > 1 ? size : none, size, size};
}

std::string print_window(const LocalWindow& window) {
  if (window.z == window.y && window.y == window.x)
    return fmt::format("{}:{}", name_of(window.shape), window.x);
  return fmt::format("{}:{},{},{}", name_of(window.shape), window.z, window.y, window.x);
}

void require_valid(const LocalWindow& window) {
  constexpr std::string_view kAccepted[] = {"a whole half-width of at least 1",
                                            "an odd whole size of at least 1",
                                            "a standard deviation of at least 0"};
  for (const double size : {window.z, window.y, window.x})
    if (!is_valid(window.shape, size))
      throw InvalidSpec(fmt::format(
          "use the window {}: the size {} is not accepted; give {} and at most {} voxels",
          print_window(window), size, kAccepted[static_cast<int>(window.shape)],
          kLargestReach / 4));
}

std::vector<double> half_weights(WindowShape shape, double size) {
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = 0; i <= reach_along(shape, size); ++i) {
    const double at = static_cast<double>(i);
    const double weight = shape == WindowShape::triangle ? size - at
                          : shape == WindowShape::box || size == 0
                              ? 1
                              : std::exp(-at * at / (2 * size * size));
    weights.push_back(weight);
    sum += i == 0 ? weight : 2 * weight;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

Extent3 half_reach(const LocalWindow& window) {
  return {reach_along(window.shape, window.z), reach_along(window.shape, window.y),
          reach_along(window.shape, window.x)};
}

Reach reach_of(std::span<const LocalWindow> windows) {
  Extent3 half;
  for (const LocalWindow& window : windows) {
    require_valid(window);
    const Extent3 its = half_reach(window);
    half = {std::max(half.z, its.z), std::max(half.y, its.y), std::max(half.x, its.x)};
  }
  return {{2 * half.z + 1, 2 * half.y + 1, 2 * half.x + 1}, {half.z, half.y, half.x}};
}

}  // namespace synthoscope::kernels
