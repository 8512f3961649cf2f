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

std::vector<double> values_of(const std::vector<ScoredObject>& objects, const Property& property) {
  std::vector<double> values;
  for (const ScoredObject& object : objects)
    if (const auto value = property.value(object)) values.push_back(*value);
  std::sort(values.begin(), values.end());
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

/// Adds what the objects of a stratum are.
template <class IsIn>
void fill(Stratum& stratum, const std::vector<ScoredObject>& truth,
          const std::vector<ScoredObject>* results, IsIn&& is_in) {
  double iou_sum = 0;
  for (const ScoredObject& object : truth) {
    if (!is_in(object)) continue;
    ++stratum.truth;
    stratum.found += object.is_found() ? 1 : 0;
    iou_sum += object.iou;
  }
  if (stratum.found > 0) stratum.mean_iou = iou_sum / static_cast<double>(stratum.found);
  if (results)
    stratum.false_positives = std::count_if(
        results->begin(), results->end(),
        [&](const ScoredObject& object) { return !object.is_found() && is_in(object); });
}

void add_strata(const Property& property, const std::vector<ScoredObject>& truth,
                const std::vector<ScoredObject>& results, int parts, std::vector<Stratum>& to) {
  const std::vector<double> values = values_of(truth, property);
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
    fill(stratum, truth, property.of_results ? &results : nullptr, [&](const ScoredObject& object) {
      const auto value = property.value(object);
      return value && (is_first || *value >= stratum.low) && (is_last || *value < stratum.high);
    });
    to.push_back(std::move(stratum));
  }
}

void add_border(const std::vector<ScoredObject>& truth, const std::vector<ScoredObject>& results,
                std::vector<Stratum>& to) {
  std::array<Stratum, 2> sides;
  for (const bool at_border : {false, true}) {
    Stratum& side = sides[at_border ? 1 : 0];
    side.by = "border";
    side.low = side.high = at_border ? 1 : 0;
    fill(side, truth, &results,
         [&](const ScoredObject& object) { return object.touches_border == at_border; });
  }
  if (sides[0].truth > 0 && sides[1].truth > 0) to.insert(to.end(), sides.begin(), sides.end());
}

}  // namespace

std::optional<double> Stratum::ap() const {
  if (!false_positives || truth + *false_positives == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(truth + *false_positives);
}

std::vector<Stratum> strata_of(const std::vector<ScoredObject>& truth,
                               const std::vector<ScoredObject>& results, bool has_um, bool is_plane,
                               int parts) {
  std::vector<Stratum> strata;
  for (const Property& property : properties(has_um, is_plane))
    add_strata(property, truth, results, parts, strata);
  add_border(truth, results, strata);
  return strata;
}

}  // namespace synthoscope::score
