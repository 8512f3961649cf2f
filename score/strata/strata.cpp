// SPDX-License-Identifier: MIT
#include "score/strata/strata.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace synthoscope::score {
namespace {

/// What objects differ in.
struct Property {
  std::string name, unit;
  std::optional<double> (*value)(const ScoredObject&);
  bool of_results = true;  ///< whether it is known of results
};

std::optional<double> known(double value) {
  if (std::isnan(value)) return std::nullopt;
  return value;
}

std::vector<Property> properties(bool has_um, bool is_plane) {
  const std::string length = has_um ? "um" : "voxels";
  const std::string size = !has_um ? "voxels" : is_plane ? "um2" : "um3";
  std::vector<Property> all{
      {is_plane ? "area" : "volume", size, [](const ScoredObject& o) { return known(o.volume); }},
      {"nearest", length, [](const ScoredObject& o) { return known(o.nearest); }},
      {"snr", "", [](const ScoredObject& o) { return o.snr; }, /*of_results=*/false},
  };
  if (!is_plane)
    all.insert(all.begin() + 1,
               {"depth", length, [](const ScoredObject& o) { return known(o.centroid.z_um); }});
  return all;
}

/// Returns the values of objects that have the property.
GradedProperty graded(const Property& property, const std::vector<ScoredObject>& truth,
                      const std::vector<ScoredObject>& results) {
  GradedProperty values{property.name, property.unit, {}};
  for (const ScoredObject& object : truth)
    if (const auto value = property.value(object))
      values.truth.push_back({*value, object.is_found(), object.iou});
  if (!property.of_results) return values;
  values.false_results.emplace();
  for (const ScoredObject& object : results)
    if (const auto value = property.value(object); value && !object.is_found())
      values.false_results->push_back(*value);
  return values;
}

/// Returns where strata begin, and the largest value: quantiles that differ.
std::vector<double> edges_of(const std::vector<double>& sorted, int parts) {
  std::vector<double> edges;
  for (int part = 0; part < parts; ++part) {
    const auto at =
        sorted.size() * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts);
    if (edges.empty() || sorted[at] > edges.back()) edges.push_back(sorted[at]);
  }
  // Objects of the largest value alone are no stratum of their own
  if (edges.size() > 1 && edges.back() == sorted.back()) edges.pop_back();
  edges.push_back(sorted.back());
  return edges;
}

void add_border(const std::vector<ScoredObject>& truth, const std::vector<ScoredObject>& results,
                std::vector<Stratum>& to) {
  std::array<Stratum, 2> sides;
  std::array<double, 2> iou_sums{};
  for (const ScoredObject& object : truth) {
    const std::size_t side = object.touches_border ? 1 : 0;
    ++sides[side].truth;
    sides[side].found += object.is_found() ? 1 : 0;
    iou_sums[side] += object.iou;
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    Stratum& stratum = sides[side];
    stratum.by = "border";
    stratum.low = stratum.high = static_cast<double>(side);
    if (stratum.found > 0) stratum.mean_iou = iou_sums[side] / static_cast<double>(stratum.found);
    stratum.false_positives =
        std::count_if(results.begin(), results.end(), [&](const ScoredObject& object) {
          return !object.is_found() && object.touches_border == (side == 1);
        });
  }
  if (sides[0].truth > 0 && sides[1].truth > 0) to.insert(to.end(), sides.begin(), sides.end());
}

}  // namespace

std::optional<double> Stratum::ap() const {
  if (!false_positives || truth + *false_positives == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(truth + *false_positives);
}

void add_strata(const GradedProperty& property, int parts, std::vector<Stratum>& to) {
  std::vector<double> values;
  for (const GradedValue& one : property.truth) values.push_back(one.value);
  std::sort(values.begin(), values.end());
  const auto possible =
      static_cast<int>(std::min<std::int64_t>(parts, std::ssize(values) / kLeastInStratum));
  if (possible < 2 || values.front() == values.back()) return;
  const std::vector<double> edges = edges_of(values, possible);
  if (edges.size() < 3) return;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    Stratum stratum;
    stratum.by = property.name;
    stratum.unit = property.unit;
    stratum.low = edges[i];
    stratum.high = edges[i + 1];
    // Results may be smaller or larger than all true objects
    const bool is_first = i == 0, is_last = i + 2 == edges.size();
    const auto is_in = [&](double value) {
      return (is_first || value >= stratum.low) && (is_last || value < stratum.high);
    };
    double iou_sum = 0;
    for (const GradedValue& one : property.truth) {
      if (!is_in(one.value)) continue;
      ++stratum.truth;
      stratum.found += one.is_found ? 1 : 0;
      iou_sum += one.iou;
    }
    if (property.has_iou && stratum.found > 0)
      stratum.mean_iou = iou_sum / static_cast<double>(stratum.found);
    if (property.false_results)
      stratum.false_positives =
          std::count_if(property.false_results->begin(), property.false_results->end(), is_in);
    to.push_back(std::move(stratum));
  }
}

std::vector<Stratum> strata_of(const std::vector<ScoredObject>& truth,
                               const std::vector<ScoredObject>& results, bool has_um, bool is_plane,
                               int parts) {
  std::vector<Stratum> strata;
  for (const Property& property : properties(has_um, is_plane))
    add_strata(graded(property, truth, results), parts, strata);
  add_border(truth, results, strata);
  return strata;
}

}  // namespace synthoscope::score
