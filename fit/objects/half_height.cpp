// SPDX-License-Identifier: MIT
#include "fit/objects/half_height.hpp"
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include "fit/estimates/robust.hpp"
#include "textures/patches/plane_patches.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kMostOfObject = 20000;  ///< values that tell a level
constexpr double kHalfHeight = 0.5;

/// Mean, sum of squared differences from it, and number of some values.
struct ClassOfValues {
  double sum = 0;
  std::vector<double> values;
  [[nodiscard]] double count() const { return static_cast<double>(values.size()); }
  [[nodiscard]] double mean() const { return sum / count(); }
  void add(double value) {
    sum += value;
    values.push_back(value);
  }
};

double variance_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size());
}

std::unordered_map<std::uint32_t, std::vector<double>> values_of_labels(
    const std::vector<float>& field, const Volume<std::uint32_t>& labels) {
  std::unordered_map<std::uint32_t, std::int64_t> sizes;
  for (const std::uint32_t label : labels.voxels) ++sizes[label];
  std::unordered_map<std::uint32_t, std::vector<double>> values;
  std::unordered_map<std::uint32_t, std::size_t> met;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::uint32_t label = labels.voxels[i];
    const std::size_t step = static_cast<std::size_t>(sizes[label]) / kMostOfObject + 1;
    if (met[label]++ % step == 0) values[label].push_back(static_cast<double>(field[i]));
  }
  return values;
}

}  // namespace

double level_of_object(std::vector<double> values) {
  constexpr double kTwoParts = 0.75;
  const double variance = variance_of(values);
  if (variance == 0) return values.front();
  const double threshold = textures::otsu_threshold(values);
  ClassOfValues dark, bright;
  for (const double value : values) (value > threshold ? bright : dark).add(value);
  if (dark.values.empty() || bright.values.empty()) return robust_median(std::move(values));
  const double share = bright.count() / (bright.count() + dark.count());
  const double between = share * (1 - share) * std::pow(bright.mean() - dark.mean(), 2);
  return robust_median(between > kTwoParts * variance ? std::move(bright.values)
                                                      : std::move(values));
}

std::vector<std::uint8_t> above_half_height(const std::vector<float>& field,
                                            const Volume<std::uint32_t>& labels) {
  auto values = values_of_labels(field, labels);
  const auto outside = values.find(0);
  const double background = outside == values.end()
                                ? static_cast<double>(*std::min_element(field.begin(), field.end()))
                                : robust_median(outside->second);
  std::unordered_map<std::uint32_t, double> half;
  for (auto& [label, of_label] : values)
    if (label != 0)
      half[label] = background + kHalfHeight * (level_of_object(std::move(of_label)) - background);
  std::vector<std::uint8_t> mask(field.size(), 0);
  for (std::size_t i = 0; i < field.size(); ++i)
    if (labels.voxels[i] != 0 && static_cast<double>(field[i]) > half[labels.voxels[i]])
      mask[i] = 1;
  return mask;
}

}  // namespace synthoscope::fit
