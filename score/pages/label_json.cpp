// SPDX-License-Identifier: MIT
#include "score/pages/label_json.hpp"
#include "core/base/json.hpp"
#include "score/pages/strata_section.hpp"

namespace synthoscope::score {
namespace {

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

/// Returns one value of all thresholds.
template <class Value>
Json column(const LabelScores& scores, Value&& value) {
  Json values = Json::array();
  for (const ThresholdScores& at : scores.thresholds) values.push_back(value(at));
  return values;
}

Json json_of(const SurfaceScores& scores, bool has_um) {
  const auto known = [&](double value) { return scores.pairs > 0 ? Json(value) : Json(); };
  return {{"pairs", scores.pairs},
          {"unit", has_um ? "um" : "voxels"},
          {"tolerance", scores.tolerance},
          {"hausdorff", known(scores.mean.hausdorff_um)},
          {"hausdorff_95", known(scores.mean.hausdorff95_um)},
          {"mean_distance", known(scores.mean.mean_um)},
          {"boundary_f", known(scores.mean.boundary_f)},
          {"largest_hausdorff", known(scores.largest_hausdorff)}};
}

}  // namespace

Json json_of(const LabelScores& scores) {
  using At = const ThresholdScores&;
  const ThresholdScores& panoptic = scores.panoptic;
  return {{"images", scores.images},
          {"thresholds", column(scores, [](At at) { return at.threshold; })},
          {"tp", column(scores, [](At at) { return at.tp; })},
          {"fp", column(scores, [](At at) { return at.fp; })},
          {"fn", column(scores, [](At at) { return at.fn; })},
          {"precision", column(scores, [](At at) { return at.precision(); })},
          {"recall", column(scores, [](At at) { return at.recall(); })},
          {"f1", column(scores, [](At at) { return at.f1(); })},
          {"ap", column(scores, [](At at) { return at.ap(); })},
          {"mean_ap", scores.mean_ap},
          {"mean_iou", or_null(scores.at(0.5).mean_iou())},
          {"pq", scores.pq},
          {"sq", or_null(panoptic.mean_iou())},
          {"rq", panoptic.f1()},
          {"seg", scores.seg},
          {"splits", scores.splits},
          {"merges", scores.merges},
          {"dice", scores.dice},
          {"vi_split", scores.vi_split},
          {"vi_merge", scores.vi_merge},
          {"vi_split_foreground", scores.vi_split_foreground},
          {"vi_merge_foreground", scores.vi_merge_foreground},
          {"adapted_rand_error", scores.adapted_rand_error},
          {"adapted_rand_error_all", scores.adapted_rand_error_all}};
}

Json json_of(const LabelReport& report, const std::optional<SurfaceScores>& surfaces) {
  Json object{{"kind", "labels"},
              {"truth", report.scores.truth},
              {"results", report.scores.results},
              {"labels", json_of(report.scores)},
              {"strata", json_of(report.strata)}};
  if (surfaces) object["surfaces"] = json_of(*surfaces, report.has_um());
  return object;
}

}  // namespace synthoscope::score
