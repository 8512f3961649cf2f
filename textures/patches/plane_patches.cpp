// SPDX-License-Identifier: MIT
#include "textures/patches/plane_patches.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::textures {
namespace {

constexpr std::int64_t kStepsPerSide = 4;
constexpr double kInside = 0.98, kEdgeLeast = 0.25, kEdgeMost = 0.75;  ///< share in objects
constexpr std::size_t kOtsuBins = 256;

/// Sums of a mask over all pixels above and to the left, to add up any rectangle.
class MaskSums {
 public:
  MaskSums(const ObjectMask& mask, std::int64_t height, std::int64_t width)
      : stride_{width + 1}, sums_(static_cast<std::size_t>((height + 1) * stride_)) {
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        at(y + 1, x + 1) =
            mask[static_cast<std::size_t>(y * width + x)] + at(y, x + 1) + at(y + 1, x) - at(y, x);
  }
  [[nodiscard]] double share(std::int64_t y, std::int64_t x, std::int64_t side) {
    const std::int64_t sum = at(y + side, x + side) - at(y, x + side) - at(y + side, x) + at(y, x);
    return static_cast<double>(sum) / static_cast<double>(side * side);
  }

 private:
  std::int64_t& at(std::int64_t y, std::int64_t x) {
    return sums_[static_cast<std::size_t>(y * stride_ + x)];
  }
  std::int64_t stride_;
  std::vector<std::int64_t> sums_;
};

bool is_wanted(double share, PatchPlace where) {
  if (where == PatchPlace::inside) return share >= kInside;
  if (where == PatchPlace::edge) return share >= kEdgeLeast && share <= kEdgeMost;
  return true;
}

}  // namespace

double otsu_threshold(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double low = quantile_of_sorted(sorted, 0.001), high = quantile_of_sorted(sorted, 0.999);
  if (!(high > low)) return high;
  std::array<double, kOtsuBins> counts{};
  for (const double value : values) {
    const double bin = std::floor((value - low) / (high - low) * double{kOtsuBins});
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0, double{kOtsuBins - 1}))];
  }
  double all = 0, sum = 0;
  for (std::size_t i = 0; i < kOtsuBins; ++i) {
    all += counts[i];
    sum += counts[i] * (static_cast<double>(i) + 0.5);
  }
  double below = 0, sum_below = 0, greatest = -1;
  std::size_t best = 0;
  for (std::size_t i = 0; i + 1 < kOtsuBins; ++i) {
    below += counts[i];
    sum_below += counts[i] * (static_cast<double>(i) + 0.5);
    const double above = all - below;
    if (!(below > 0 && above > 0)) continue;
    const double apart = sum_below / below - (sum - sum_below) / above;
    const double between = below * above * apart * apart;
    if (between > greatest) {
      greatest = between;
      best = i;
    }
  }
  return low + static_cast<double>(best + 1) / double{kOtsuBins} * (high - low);
}

ObjectMask bright_objects(const GreyPlane& plane) {
  const GreyPlane smooth = blurred(plane, 1);
  const double threshold = otsu_threshold(smooth.values);
  ObjectMask objects;
  objects.reserve(smooth.values.size());
  for (const double value : smooth.values) objects.push_back(value > threshold ? 1 : 0);
  return objects;
}

GreyPlane normalised(const GreyPlane& plane, const ObjectMask& objects, const std::string& name) {
  std::vector<double> inside, outside;
  for (std::size_t i = 0; i < plane.values.size(); ++i)
    (objects[i] ? inside : outside).push_back(plane.values[i]);
  if (inside.empty() || outside.empty())
    throw InvalidInput(fmt::format(
        "measure patches of {}: {} of its pixels belong to objects, so that background and objects "
        "have no levels; give labels, or an image with objects and background",
        name, inside.empty() ? "none" : "all"));
  const double background = quantile_of(std::move(outside), 0.5);
  const double level = quantile_of(std::move(inside), 0.5) - background;
  if (!(std::abs(level) > 0))
    throw InvalidInput(fmt::format(
        "measure patches of {}: the median is {} in objects and outside; give labels of objects "
        "that are brighter than the background",
        name, background));
  GreyPlane result = plane;
  for (double& value : result.values) value = (value - background) / level;
  return result;
}

std::vector<std::array<std::int64_t, 2>> patch_corners(const GreyPlane& plane,
                                                       const ObjectMask& objects,
                                                       const PatchSpec& spec) {
  const std::int64_t step = std::max<std::int64_t>(1, spec.side / kStepsPerSide);
  MaskSums sums{objects, plane.height, plane.width};
  std::vector<std::array<std::int64_t, 2>> corners;
  for (std::int64_t y = 0; y + spec.side <= plane.height; y += step)
    for (std::int64_t x = 0; x + spec.side <= plane.width; x += step)
      if (is_wanted(sums.share(y, x, spec.side), spec.where)) corners.push_back({y, x});
  const auto count = std::ssize(corners);
  if (count <= spec.most) return corners;
  std::vector<std::array<std::int64_t, 2>> taken;
  for (std::int64_t i = 0; i < spec.most; ++i)
    taken.push_back(corners[static_cast<std::size_t>(i * count / spec.most)]);
  return taken;
}

GreyPlane patch_at(const GreyPlane& plane, const std::array<std::int64_t, 2>& corner,
                   std::int64_t side) {
  GreyPlane patch{side, side};
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x) patch.at(y, x) = plane.at(corner[0] + y, corner[1] + x);
  return patch;
}

}  // namespace synthoscope::textures
