// SPDX-License-Identifier: MIT
#include "fit/light/light_statistics.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include "core/base/assert.hpp"
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kObjectsForSize = 8, kObjectsForPlace = 12;
constexpr double kWild = 3;            ///< robust deviations from the median
constexpr double kDarkest = 0.02;      ///< of the median: darker objects count as this
constexpr double kWildGrain = 4;       ///< the same, of tiles
constexpr double kLeastSpread = 1e-3;  ///< of ln(size) that tells an effect of size

/// Logarithms of brightness in a zone; wild ones are brought to the edge.
std::vector<double> tamed_logarithms(const std::vector<const LitObject*>& objects, Zone zone) {
  std::vector<double> counts(objects.size());
  std::transform(objects.begin(), objects.end(), counts.begin(), [&](const LitObject* object) {
    return object->counts[static_cast<std::size_t>(zone)];
  });
  const double least = std::max(kDarkest * robust_median(counts), 1e-6);
  for (double& value : counts) value = std::log(std::max(value, least));
  const double middle = robust_median(counts), reach = kWild * robust_deviation(counts);
  if (reach > 0)
    for (double& value : counts) value = std::clamp(value, middle - reach, middle + reach);
  return counts;
}

/// Mean logarithm of the brightness of a zone over that inside.
double mean_over_inside(const std::vector<const LitObject*>& objects, Zone zone) {
  const std::vector<double> in_zone = tamed_logarithms(objects, zone),
                            inside = tamed_logarithms(objects, Zone::inside);
  double sum = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) sum += in_zone[i] - inside[i];
  return sum / static_cast<double>(objects.size());
}

double mean_bright_share(const std::vector<const LitObject*>& objects) {
  std::vector<double> shares;
  for (const LitObject* object : objects) shares.push_back(object->bright_share);
  return mean_of_middle_half(std::move(shares));
}

double log_of_mean(const std::vector<double>& logarithms) {
  double sum = 0;
  for (const double value : logarithms) sum += std::exp(value);
  return std::log(sum / static_cast<double>(logarithms.size()));
}

/// Columns of the regression of brightness.
struct Effects {
  bool size = false, falloff = false, depth = false;
};

double standardised(const std::vector<double>& values, Eigen::MatrixXd& design,
                    Eigen::Index column) {
  const Eigen::Map<const Eigen::VectorXd> all{values.data(),
                                              static_cast<Eigen::Index>(values.size())};
  const double mean = all.mean(), deviation = std::sqrt((all.array() - mean).square().mean());
  design.col(column) = (all.array() - mean) / std::max(deviation, kLeastSpread);
  return std::max(deviation, kLeastSpread);
}

/// Variance that remains, and effects in the order size, falloff, depth.
std::vector<double> regressed(const std::vector<const LitObject*>& objects,
                              const std::vector<double>& brightness, const Effects& effects) {
  const auto n = static_cast<Eigen::Index>(objects.size());
  const Eigen::Index columns = 1 + effects.size + effects.falloff + effects.depth;
  Eigen::MatrixXd design = Eigen::MatrixXd::Ones(n, columns);
  std::vector<double> scales;  // from standardised columns to the units of the effects
  const auto add = [&](bool is_asked, bool in_deviations, auto&& of_object) {
    if (!is_asked) return;
    std::vector<double> values;
    for (const LitObject* object : objects) values.push_back(of_object(*object));
    const double deviation =
        standardised(values, design, 1 + static_cast<Eigen::Index>(scales.size()));
    scales.push_back(in_deviations ? 1 : deviation);
  };
  add(effects.size, true, [](const LitObject& object) { return std::log(object.size_um3); });
  add(effects.falloff, false, [](const LitObject& object) { return object.radial; });
  add(effects.depth, false, [](const LitObject& object) { return object.z_um; });
  const Eigen::Map<const Eigen::VectorXd> wanted{brightness.data(), n};
  // A sample of a bootstrap may hold too few different objects: a ridge keeps effects finite
  Eigen::MatrixXd normal = design.transpose() * design;
  normal.diagonal().array() += 1e-6 * static_cast<double>(n);
  const Eigen::VectorXd found = normal.ldlt().solve(design.transpose() * wanted);
  const auto freedom = static_cast<double>(std::max<Eigen::Index>(n - columns, 1));
  std::vector<double> values{(wanted - design * found).squaredNorm() / freedom};
  for (std::size_t i = 0; i < scales.size(); ++i)
    values.push_back(found[static_cast<Eigen::Index>(i) + 1] / scales[i]);
  return values;
}

/// The mean of the tiles' grain, of which wild ones count as at the edge, and its variance.
std::pair<double, double> mean_grain(std::vector<double> grain) {
  const double middle = robust_median(grain), reach = kWildGrain * robust_deviation(grain);
  if (reach > 0)
    for (double& value : grain) value = std::clamp(value, middle - reach, middle + reach);
  const auto n = static_cast<double>(grain.size());
  const double mean = std::accumulate(grain.begin(), grain.end(), 0.0) / n;
  double squares = 0;
  for (const double value : grain) squares += (value - mean) * (value - mean);
  return {mean, squares / (n - 1) / n};
}

}  // namespace

std::string_view name_of(Zone zone) {
  constexpr std::array<std::string_view, kZones> names{
      "brightness", "brightness of the border", "brightness inside", "brightness of the middle"};
  return names[static_cast<std::size_t>(zone)];
}

std::string_view relative_name_of(Zone zone) {
  return zone == Zone::border ? "brightness of the border, over that inside"
                              : "brightness of the middle, over that inside";
}

void add_light(const LabelledImage& image, const LightRule& rule, LightSample& sample) {
  const std::vector<double> squares = squared_widths_from_labels(image, rule);
  Tiles tiles = without_outliers(background_tiles(image, squares, rule), rule.falloff);
  std::vector<double> means;
  for (const BackgroundTile& tile : tiles) means.push_back(tile.mean);
  const double level = means.empty() ? static_cast<double>(*std::min_element(
                                           image.counts.voxels.begin(), image.counts.voxels.end()))
                                     : robust_median(means);
  const auto objects = lit_objects(image, squares, level, rule);
  sample.objects.insert(sample.objects.end(), objects.begin(), objects.end());
  sample.tiles.push_back(std::move(tiles));
}

Statistics background_statistics(const LightSample& sample, const LightRule& rule,
                                 const FieldShape& shape, double dark_dn) {
  const BackgroundFit fit = fit_background(sample.tiles, rule.falloff, shape);
  if (fit.values.size() == 0) return {};
  Statistics result;
  result.names = {std::string{light_name::kLevel}, std::string{light_name::kAlongX},
                  std::string{light_name::kAlongY}};
  if (rule.falloff) result.names.emplace_back(light_name::kBackgroundFalloff);
  result.values = fit.values;
  result.values[0] -= dark_dn;
  result.covariance = fit.covariance;
  std::vector<double> grain;
  for (const Tiles& tiles : sample.tiles)
    for (const BackgroundTile& tile : tiles) {
      ++result.units;
      if (tile.pairs > 0) grain.push_back(tile.grain);
    }
  if (grain.size() < 4) return result;
  const auto [mean, variance] = mean_grain(std::move(grain));
  const Statistics of_grain{{std::string{light_name::kGrain}},
                            Eigen::VectorXd::Constant(1, mean),
                            Eigen::MatrixXd::Constant(1, 1, variance),
                            result.units};
  return joined(result, of_grain);
}

Statistics object_statistics(const LightSample& sample, const LightRule& rule, bool depth) {
  std::vector<const LitObject*> all;
  for (const LitObject& object : sample.objects)
    if (!rule.zones || object.has_zones) all.push_back(&object);
  if (all.empty()) return {};
  const Effects effects{all.size() >= kObjectsForSize,
                        rule.falloff && all.size() >= kObjectsForPlace,
                        depth && all.size() >= kObjectsForPlace};
  const std::vector<Zone> zones =
      rule.zones ? std::vector{Zone::border, Zone::inside, Zone::middle} : std::vector{Zone::whole};
  std::vector<std::string> names;
  for (const Zone zone : zones) names.emplace_back(name_of(zone));
  if (rule.zones) {
    for (const Zone zone : {Zone::border, Zone::middle}) names.emplace_back(relative_name_of(zone));
    names.emplace_back(light_name::kBrightShare);
  }
  names.emplace_back(light_name::kVariance);
  if (effects.size) names.emplace_back(light_name::kSizeEffect);
  if (effects.falloff) names.emplace_back(light_name::kObjectFalloff);
  if (effects.depth) names.emplace_back(light_name::kDepthEffect);
  const auto of_sample = [&](std::span<const std::size_t> numbers) {
    std::vector<const LitObject*> drawn;
    for (const std::size_t i : numbers) drawn.push_back(all[i]);
    std::vector<double> values;
    for (const Zone zone : zones) values.push_back(log_of_mean(tamed_logarithms(drawn, zone)));
    if (rule.zones) {
      for (const Zone zone : {Zone::border, Zone::middle})
        values.push_back(mean_over_inside(drawn, zone));
      values.push_back(mean_bright_share(drawn));
    }
    const auto more = regressed(drawn, tamed_logarithms(drawn, Zone::whole), effects);
    values.insert(values.end(), more.begin(), more.end());
    return Eigen::VectorXd{
        Eigen::Map<const Eigen::VectorXd>{values.data(), static_cast<Eigen::Index>(values.size())}};
  };
  return bootstrap(std::move(names), all.size(), of_sample);
}

LightSample without_falloff(LightSample sample, double falloff, double dark_dn) {
  for (Tiles& tiles : sample.tiles)
    for (BackgroundTile& tile : tiles) {
      const double left = 1 - falloff * tile.radial;
      tile.mean = dark_dn + (tile.mean - dark_dn) / left;
      tile.grain /= left * left;
    }
  return sample;
}

Eigen::Index place_of(const Statistics& statistics, std::string_view name) {
  const auto found = std::find(statistics.names.begin(), statistics.names.end(), name);
  return found == statistics.names.end() ? -1 : found - statistics.names.begin();
}

Statistics selected(const Statistics& all, const std::vector<std::string_view>& names) {
  const auto size = static_cast<Eigen::Index>(names.size());
  Statistics result{{}, Eigen::VectorXd{size}, Eigen::MatrixXd{size, size}, all.units};
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index row = place_of(all, names[static_cast<std::size_t>(i)]);
    SYNTHOSCOPE_ASSERT(row, >=, Eigen::Index{0});
    result.names.emplace_back(names[static_cast<std::size_t>(i)]);
    result.values[i] = all.values[row];
    for (Eigen::Index k = 0; k < size; ++k)
      result.covariance(i, k) =
          all.covariance(row, place_of(all, names[static_cast<std::size_t>(k)]));
  }
  return result;
}

}  // namespace synthoscope::fit
