// SPDX-License-Identifier: MIT
#include "fit/objects/blur_field.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::fit {
namespace {

/// Blurs along one axis, with the outermost values continued.
void blur_along(std::vector<float>& field, const Extent3& extent, int axis, double sigma,
                const RunContext& context) {
  const std::array<std::int64_t, 3> size{extent.z, extent.y, extent.x},
      stride{extent.y * extent.x, extent.x, 1};
  const auto a = static_cast<std::size_t>(axis);
  const std::int64_t length = size[a], step = stride[a];
  if (length == 1 || sigma < 0.2) return;
  const auto reach = static_cast<std::int64_t>(std::ceil(3 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = -reach; i <= reach; ++i) {
    const double at = static_cast<double>(i) / sigma;
    weights.push_back(std::exp(-at * at / 2));
    sum += weights.back();
  }
  const std::int64_t lines = volume(extent) / length;
  context.pool.for_ranges(lines, 256, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> line(static_cast<std::size_t>(length));
    for (std::int64_t number = begin; number < end; ++number) {
      // Lines are counted over the other two axes
      const std::int64_t first = number / step * step * length + number % step;
      for (std::int64_t i = 0; i < length; ++i)
        line[static_cast<std::size_t>(i)] = field[static_cast<std::size_t>(first + i * step)];
      for (std::int64_t i = 0; i < length; ++i) {
        double value = 0;
        for (std::int64_t k = -reach; k <= reach; ++k)
          value +=
              weights[static_cast<std::size_t>(k + reach)] *
              static_cast<double>(
                  line[static_cast<std::size_t>(std::clamp<std::int64_t>(i + k, 0, length - 1))]);
        field[static_cast<std::size_t>(first + i * step)] = static_cast<float>(value / sum);
      }
    }
  });
}

}  // namespace

void blur_field(std::vector<float>& field, const Extent3& extent,
                const std::array<double, 3>& sigmas, const RunContext& context) {
  for (int axis = 0; axis < 3; ++axis)
    blur_along(field, extent, axis, sigmas[static_cast<std::size_t>(axis)], context);
}

}  // namespace synthoscope::fit
