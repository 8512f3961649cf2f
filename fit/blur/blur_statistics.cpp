// SPDX-License-Identifier: MIT
#include "fit/blur/blur_statistics.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include "core/base/error.hpp"
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

using Sample = std::span<const std::size_t>;

/// The samples of an edge that are statistics: the middle is half by definition, and the outermost
/// ones are hardly more than noise.
constexpr int kEdgeStatistics[] = {-3, -2, -1, 1, 2, 3};

constexpr std::string_view kTilt = "exponent of the power ", kPower = "power ", kEdge = "edge ",
                           kInnerLevel = "inner level ";
constexpr double kUnlikeTilt = 0.5, kUnlikePower = 0.1, kUnlikeEdge = 0.025, kUnlikeInner = 0.02;
constexpr double kWithoutEdges = 3;  ///< times as unlike are spectra without edges

template <class T>
void require_samples(const std::vector<T>& samples, std::string_view what) {
  if (samples.empty())
    throw InvalidSpec(fmt::format("fit: the twin shows no {}, which the real image has", what));
}

Statistics edge_statistics(const std::vector<ObjectEdge>& edges, std::string_view name) {
  require_samples(edges, "clear edge");
  std::vector<std::string> names;
  for (const int k : kEdgeStatistics) names.push_back(fmt::format("{}{} {}", kEdge, name, k));
  return bootstrap(std::move(names), edges.size(), [&](Sample sample) {
    Eigen::VectorXd values = Eigen::VectorXd::Zero(std::ssize(kEdgeStatistics));
    for (const std::size_t i : sample)
      for (Eigen::Index k = 0; k < values.size(); ++k)
        values[k] += edges[i].levels[static_cast<std::size_t>(kEdgeStatistics[k] + kEdgeSamples)];
    return Eigen::VectorXd{values / static_cast<double>(sample.size())};
  });
}

Statistics inner_statistics(const std::vector<InnerLevels>& objects) {
  require_samples(objects, "object whose inside is seen");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kInnerLevels; ++i)
    names.push_back(fmt::format("{}{}", kInnerLevel, i));
  return bootstrap(std::move(names), objects.size(), [&](Sample sample) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(kInnerLevels));
    std::vector<double> levels(sample.size());
    for (std::size_t level = 0; level < kInnerLevels; ++level) {
      for (std::size_t i = 0; i < sample.size(); ++i) levels[i] = objects[sample[i]][level];
      values[static_cast<Eigen::Index>(level)] = robust_median(levels);
    }
    return values;
  });
}

Statistics halo_statistics(const std::vector<HaloSums>& parts, std::size_t rings) {
  require_samples(parts, "halo");
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < rings; ++i) names.push_back(fmt::format("halo {}", i));
  return bootstrap(std::move(names), parts.size(), [&](Sample sample) {
    HaloSums all;
    for (const std::size_t i : sample) all += parts[i];
    const std::vector<double> halo = halo_of(all, rings);
    return Eigen::VectorXd{Eigen::Map<const Eigen::VectorXd>(halo.data(), std::ssize(halo))};
  });
}

Statistics point_statistics(const std::vector<PointWidth>& points, bool axial) {
  require_samples(points, "isolated point");
  std::vector<std::string> names{"lateral width of points"};
  if (axial) names.push_back("axial width of points");
  return bootstrap(std::move(names), points.size(), [&](Sample sample) {
    std::vector<double> lateral, along_z;
    for (const std::size_t i : sample) {
      lateral.push_back(std::log(points[i].lateral_um));
      if (axial) along_z.push_back(std::log(std::max(points[i].axial_um, 1e-6)));
    }
    Eigen::VectorXd values(axial ? 2 : 1);
    values[0] = robust_median(lateral);
    if (axial) values[1] = robust_median(along_z);
    return values;
  });
}

void add_shape_names(std::string_view what, const std::vector<std::size_t>& bands,
                     std::vector<std::string>& names) {
  if (bands.empty()) return;
  names.push_back(fmt::format("{}{}", kTilt, what));
  for (const std::size_t band : bands) names.push_back(fmt::format("{}{} {}", kPower, what, band));
}

Statistics band_statistics(const std::vector<BandPowers>& tiles, const BlurMeasure& measure) {
  require_samples(tiles, "texture");
  std::vector<std::string> names;
  add_shape_names("in the plane", measure.bands, names);
  add_shape_names("along z", measure.axial_bands, names);
  return bootstrap(names, tiles.size(), [&](Sample sample) {
    BandPowers all;
    for (const std::size_t i : sample) all += tiles[i];
    std::vector<double> values;
    const auto add = [&](const BandShape& shape) {
      values.push_back(shape.tilt);
      values.insert(values.end(), shape.rest.begin(), shape.rest.end());
    };
    if (!measure.bands.empty()) add(shape_of_bands(all, measure.bands));
    if (!measure.axial_bands.empty()) add(shape_of_axial_bands(all, measure.axial_bands));
    return Eigen::VectorXd{Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values))};
  });
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void add_samples(const LabelledImage& image, const BlurMeasure& measure, const RunContext& context,
                 BlurSamples& samples) {
  if (measure.reach > 0) append(lateral_edges(image, measure.reach), samples.lateral);
  if (measure.axial_reach > 0) append(axial_edges(image, measure.axial_reach), samples.axial);
  if (measure.inner) append(inner_levels(image, measure.reach), samples.inner);
  if (measure.halo_rings > 0) append(halo_sums(image, measure.reach), samples.halo);
  if (measure.points) append(point_widths(image, context), samples.points);
  if (!measure.bands.empty() || !measure.axial_bands.empty())
    append(band_powers(image), samples.tiles);
}

Statistics blur_statistics(const BlurSamples& samples, const BlurMeasure& measure) {
  std::optional<Statistics> all;
  const auto add = [&](Statistics more) { all = all ? joined(*all, more) : std::move(more); };
  if (measure.reach > 0) add(edge_statistics(samples.lateral, "in the plane"));
  if (measure.axial_reach > 0) add(edge_statistics(samples.axial, "along z"));
  if (measure.inner) add(inner_statistics(samples.inner));
  if (measure.halo_rings > 0) add(halo_statistics(samples.halo, measure.halo_rings));
  if (measure.points) add(point_statistics(samples.points, measure.axial_points));
  if (!measure.bands.empty() || !measure.axial_bands.empty())
    add(band_statistics(samples.tiles, measure));
  return all.value_or(Statistics{});
}

void add_unlikeness(const BlurMeasure& measure, Statistics& real) {
  const bool has_edges = measure.reach > 0 || measure.axial_reach > 0;
  const double of_spectrum = has_edges ? 1 : kWithoutEdges;
  const auto deviation_of = [&](const std::string& name) {
    if (name.starts_with(kTilt)) return of_spectrum * kUnlikeTilt;
    if (name.starts_with(kPower)) return of_spectrum * kUnlikePower;
    if (name.starts_with(kEdge)) return kUnlikeEdge;
    if (name.starts_with(kInnerLevel)) return kUnlikeInner;
    return 0.0;
  };
  for (std::size_t i = 0; i < real.names.size(); ++i) {
    const double deviation = deviation_of(real.names[i]);
    const auto place = static_cast<Eigen::Index>(i);
    real.covariance(place, place) += deviation * deviation;
  }
}

EdgeProfile mean_levels(const std::vector<ObjectEdge>& edges) {
  EdgeProfile mean{};
  for (const ObjectEdge& edge : edges)
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += edge.levels[i] / static_cast<double>(edges.size());
  return mean;
}

}  // namespace synthoscope::fit
