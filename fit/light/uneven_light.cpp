// SPDX-License-Identifier: MIT
#include "fit/light/uneven_light.hpp"
#include <fmt/format.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kSignificant = 3;       ///< standard errors
constexpr double kSignificantPair = 11;  ///< of chi square with two degrees of freedom: 0.4 %
constexpr double kFieldEvidence = 11;    ///< of a field of two parameters
constexpr double kWide = 1.96;           ///< half of a 95 % interval in standard errors
constexpr double kLeastGrain = 0.05;     ///< correlation of neighbours that grain must have

/// A difference between real images and twins, with its variance.
struct Excess {
  bool is_known = false;
  double value = 0, variance = 0;
  [[nodiscard]] double error() const { return std::sqrt(variance); }
  [[nodiscard]] bool is_significant() const {
    return is_known && std::abs(value) > kSignificant * error();
  }
};

Excess excess_of(const UnevenLight& light, std::string_view name) {
  const Eigen::Index real = place_of(light.real, name), even = place_of(light.even, name);
  if (real < 0 || even < 0) return {};
  return {true, light.real.values[real] - light.even.values[even],
          light.real.covariance(real, real) + light.even.covariance(even, even)};
}

/// Reports a key, and gives it to the scene if it is free.
void report(Estimate estimate, const StageTask& task, simulator::SceneSpec& scene,
            Findings& found) {
  const simulator::SceneKey* const key = simulator::find_key(estimate.key);
  if (key == nullptr || !task.is_free(estimate.key)) return;
  estimate.unit = key->unit;
  // A default stays unwritten
  if (estimate.value != number_of_key(scene, estimate.key))
    set_number(scene, estimate.key, estimate.value);
  found.estimates.push_back(std::move(estimate));
}

Estimate estimate_of_key(std::string key, const Spanned& span, std::string how) {
  Estimate estimate;
  estimate.key = std::move(key);
  estimate.value = span.value;
  estimate.low = span.low;
  estimate.high = span.high;
  estimate.how = std::move(how);
  return estimate;
}

}  // namespace

void find_gradient(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                   Findings& found) {
  const Excess x = excess_of(light, light_name::kAlongX), y = excess_of(light, light_name::kAlongY);
  if (!x.is_known || !y.is_known || light.background_dn <= 0) return;
  const Eigen::Index at_x = place_of(light.real, light_name::kAlongX);
  const double height = static_cast<double>(scene.grid.extent.y) * scene.grid.pitch.y_um,
               width = static_cast<double>(scene.grid.extent.x) * scene.grid.pitch.x_um;
  // Slopes per micrometre, relative to the background; background.cpp of the simulator divides by
  // what the field measures along the gradient
  Eigen::Vector2d slope{x.value / width, y.value / height};
  slope /= light.background_dn;
  Eigen::Matrix2d covariance = light.real.covariance.block<2, 2>(at_x, at_x);
  const Eigen::Index at_even = place_of(light.even, light_name::kAlongX);
  covariance += light.even.covariance.block<2, 2>(at_even, at_even);
  const Eigen::Vector2d scale{1 / width, 1 / height};
  covariance = scale.asDiagonal() * covariance * scale.asDiagonal();
  covariance /= light.background_dn * light.background_dn;
  const double size = slope.norm(), angle = std::atan2(slope.y(), slope.x());
  const double across = std::abs(std::sin(angle)) * height + std::abs(std::cos(angle)) * width;
  const Eigen::Vector2d along = slope / std::max(size, 1e-300);
  const double error = std::sqrt(along.dot(covariance * along));
  constexpr double kMost = 2;  // of the key
  const auto limited = [&](double value) { return std::clamp(value * across, 0.0, kMost); };
  if (slope.dot(covariance.inverse() * slope) < kSignificantPair) {
    report(estimate_of_key("background.gradient", {0, 0, limited(size + kWide * error)},
                           "the background changes no more along the field than by chance"),
           task, scene, found);
    return;
  }
  report(
      estimate_of_key("background.gradient",
                      {limited(size), limited(size - kWide * error), limited(size + kWide * error)},
                      "slope of the background far from labels, less that of an even twin"),
      task, scene, found);
  const Eigen::Vector2d sideways{-along.y(), along.x()};
  const double degrees = 180 / std::numbers::pi,
               angle_error = std::sqrt(sideways.dot(covariance * sideways)) / size;
  report(estimate_of_key("background.gradient_degrees",
                         {angle * degrees, (angle - kWide * angle_error) * degrees,
                          (angle + kWide * angle_error) * degrees},
                         "direction of this slope"),
         task, scene, found);
}

void find_field(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                Findings& found) {
  if (light.background_dn <= 0 || place_of(light.real, light_name::kLevel) < 0) return;
  constexpr double kMost = 2;
  const double haze = light.even_field.deviation_dn.value;
  const auto relative = [&](double deviation_dn) {
    const double square = deviation_dn * deviation_dn - haze * haze;
    return std::min(std::sqrt(std::max(square, 0.0)) / light.background_dn, kMost);
  };
  const Spanned& all = light.real_field.deviation_dn;
  // Haze of as many objects at other places may be as uneven
  const bool is_more_than_haze = all.low > light.even_field.deviation_dn.high;
  if (light.real_field.evidence < kFieldEvidence || !is_more_than_haze) {
    report(estimate_of_key("background.field_deviation",
                           {0, 0, std::min(all.high / light.background_dn, kMost)},
                           "the background is no more uneven than noise and haze make it"),
           task, scene, found);
    return;
  }
  constexpr double kPlausible = 0.7;
  if (relative(all.value) > kPlausible) {
    found.untold.push_back(fmt::format(
        "The background is too uneven for a smooth field: it varies by {:.2g} of its mean. Objects "
        "without a label may lie in it; label all objects.",
        relative(all.value)));
    return;
  }
  report(estimate_of_key("background.field_deviation",
                         {relative(all.value), relative(all.low), relative(all.high)},
                         "smooth unevenness of the background far from labels, less that of an "
                         "even twin"),
         task, scene, found);
  report(estimate_of_key("background.field_um", light.real_field.length_um,
                         "distance over which this unevenness is correlated"),
         task, scene, found);
}

void find_grain(const UnevenLight& light, const StageTask& task, simulator::SceneSpec& scene,
                Findings& found) {
  const Excess grain = excess_of(light, light_name::kGrain);
  if (!grain.is_known || light.background_dn <= 0) return;
  // Correlation of the grain of a scene between pixels one diagonal step apart
  const VoxelSize& pitch = scene.grid.pitch;
  const double step = std::hypot(pitch.y_um, pitch.x_um) / grain_length_um(scene);
  const double correlation = std::exp(-step * step / 2);
  if (correlation < kLeastGrain) {
    if (task.is_free("background.grain_deviation"))
      found.untold.push_back(
          "The grain of the background is not told: pixels are coarser than grains, which look "
          "like "
          "noise.");
    return;
  }
  constexpr double kMost = 2;
  const auto relative = [&](double square) {
    return std::min(std::sqrt(std::max(square, 0.0) / correlation) / light.background_dn, kMost);
  };
  // A grain of so many waves is a sample, too
  constexpr double kWavesOfGrain = 64;
  const double error =
      std::hypot(grain.error(), std::sqrt(2 / kWavesOfGrain) * std::max(grain.value, 0.0));
  const double high = relative(std::max(grain.value, 0.0) + kWide * error);
  // Haze of as many objects at other places may be as uneven
  const double haze = light.even.values[place_of(light.even, light_name::kGrain)];
  if (!grain.is_significant() || grain.value < std::abs(haze)) {
    report(estimate_of_key("background.grain_deviation", {0, 0, high},
                           "neighbouring pixels of the background are no more alike than in a twin "
                           "without grain"),
           task, scene, found);
    return;
  }
  report(
      estimate_of_key("background.grain_deviation",
                      {relative(grain.value), relative(grain.value - kWide * error), high},
                      "covariance of neighbouring pixels of the background, beyond that of a twin "
                      "without grain; noise of pixels has no part in it"),
      task, scene, found);
}

void find_spread(const UnevenLight& light, const LightKeys& keys, const LightTwin& twin,
                 const StageTask& task, simulator::SceneSpec& scene, Findings& found) {
  const std::string spread_key = keys.table + ".intensity_spread",
                    correlation_key = keys.table + ".intensity_size_correlation";
  const Excess rest = excess_of(light, light_name::kVariance),
               with_size = excess_of(light, light_name::kSizeEffect);
  if (!rest.is_known || simulator::find_key(spread_key) == nullptr) return;
  const double objects = light.objects;
  const Eigen::Index place = place_of(light.real, light_name::kVariance);
  // Size and the rest together, without what chance gives to size
  const double of_size =
      with_size.is_known ? with_size.value * with_size.value - with_size.variance : 0.0;
  const double square = rest.value + std::max(of_size, 0.0);
  // A bootstrap of few objects finds too little scatter: that of normal values is the least
  const double all = light.real.values[place] + std::max(of_size, 0.0);
  const double error = std::max(std::hypot(rest.error(), 2 * with_size.value * with_size.error()),
                                std::sqrt(2 / std::max(objects - 2, 1.0)) * all);
  constexpr double kMost = 2;
  if (objects < 3 || square < kSignificant / 2 * error) {
    const double high = std::sqrt(std::max(square, 0.0) + half_width(objects) * error);
    report(estimate_of_key(spread_key, {0, 0, std::min(high, kMost)},
                           "objects differ in brightness no more than those of a twin whose "
                           "objects are stained alike"),
           task, scene, found);
    return;
  }
  const bool is_with_size = with_size.is_significant() &&
                            simulator::find_key(correlation_key) != nullptr &&
                            task.is_free(correlation_key);
  const double sigma = std::min(std::sqrt(square), kMost);
  // On a logarithmic scale: a variance is never below 0
  const double wide = half_width(objects) * error / (2 * square);
  report(estimate_of_key(spread_key,
                         {sigma, sigma * std::exp(-wide), std::min(sigma * std::exp(wide), kMost)},
                         "scatter of the logarithm of brightness, beyond that of a twin whose "
                         "objects are stained alike"),
         task, scene, found);
  if (!with_size.is_known || simulator::find_key(correlation_key) == nullptr) return;
  const auto limited = [](double value) { return std::clamp(value, -1.0, 1.0); };
  const double wide_effect = half_width(objects) * with_size.error();
  // Labels of sections show less of a correlation than there is
  simulator::SceneSpec tied = even_scene(scene, keys.table);
  set_number(tied, spread_key, sigma);
  set_number(tied, correlation_key, with_size.value > 0 ? 1 : -1);
  const Statistics seen = twin.statistics(tied);
  const Eigen::Index at = place_of(seen, light_name::kSizeEffect);
  double full = sigma;  // the effect if size were all
  if (at >= 0)
    full = std::max(std::abs(seen.values[at] -
                             light.even.values[place_of(light.even, light_name::kSizeEffect)]),
                    0.1 * sigma);
  if (!is_with_size) {
    report(estimate_of_key(correlation_key,
                           {0, limited((with_size.value - wide_effect) / full),
                            limited((with_size.value + wide_effect) / full)},
                           "brightness depends on size no more than by chance"),
           task, scene, found);
    return;
  }
  report(estimate_of_key(
             correlation_key,
             {limited(with_size.value / full), limited((with_size.value - wide_effect) / full),
              limited((with_size.value + wide_effect) / full)},
             "brightness against size of objects, beyond that of a twin in which they "
             "are independent"),
         task, scene, found);
}

}  // namespace synthoscope::fit
