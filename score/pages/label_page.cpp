// SPDX-License-Identifier: MIT
#include "score/pages/label_page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "score/pages/gallery.hpp"
#include "score/pages/strata_section.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;
constexpr const char *kBlue = "#2f6fb3", *kOrange = "#d9772b", *kGreen = "#3a8f5c",
                     *kViolet = "#7a5aa6";

std::string three_digits(double value) {
  return fmt::format("{:.3f}", value);
}

std::string three_digits(const std::optional<double>& value) {
  return value ? three_digits(*value) : "undefined";
}

std::string numbers(const LabelScores& s) {
  const ThresholdScores& half = s.at(0.5);
  return simulator::table({
      {"score", "value", "definition"},
      {"true objects", std::to_string(s.truth), "objects of the truth that are scored"},
      {"results", std::to_string(s.results), "objects of the result that are scored"},
      {"IoU", "", "intersection over union: voxels that two objects share, over those of either"},
      {"TP", std::to_string(half.tp),
       "pairs of a true object and a result with an IoU of 0.5 or more, one to one"},
      {"FN", std::to_string(half.fn), "true objects without such a result: missed"},
      {"FP", std::to_string(half.fp), "results without such a true object: false"},
      {"precision", three_digits(half.precision()), "TP / (TP + FP)"},
      {"recall", three_digits(half.recall()), "TP / (TP + FN)"},
      {"F1", three_digits(half.f1()), "2 TP / (2 TP + FP + FN)"},
      {"AP", three_digits(half.ap()), "average precision at 0.5: TP / (TP + FP + FN)"},
      {"mean AP", three_digits(s.mean_ap), "mean of AP at the IoU 0.50, 0.55 ... 0.95"},
      {"mean IoU", three_digits(half.mean_iou()), "mean IoU of the pairs"},
      {"PQ", three_digits(s.pq),
       "panoptic quality: the sum of IoU of pairs above 0.5, over TP + FP / 2 + FN / 2"},
      {"SQ", three_digits(s.panoptic.mean_iou()), "mean IoU of pairs above 0.5"},
      {"RQ", three_digits(s.panoptic.f1()), "F1 of pairs above 0.5; PQ = SQ RQ"},
      {"SEG", three_digits(s.seg),
       "mean over true objects of the IoU with the result that holds more than half of the object; "
       "0 if none does"},
      {"splits", std::to_string(s.splits),
       "true objects that hold over half of two or more results each"},
      {"merges", std::to_string(s.merges),
       "results that hold over half of two or more true objects each"},
      {"Dice", three_digits(s.dice),
       "2 n / (a + b) for a voxels in true objects, b in results, n in both"},
      {"VI split", fmt::format("{} bits", three_digits(s.vi_split)),
       "variation of information: entropy of the result within true regions, the background "
       "included"},
      {"VI merge", fmt::format("{} bits", three_digits(s.vi_merge)),
       "entropy of the truth within regions of the result, the background included"},
      {"VI in objects",
       fmt::format("{}, {} bits", three_digits(s.vi_split_foreground),
                   three_digits(s.vi_merge_foreground)),
       "split and merge, of voxels inside true objects"},
      {"Rand error", three_digits(s.adapted_rand_error),
       "adapted Rand error: 1 - F1 of pairs of voxels that lie together, inside true objects"},
  });
}

std::string surface_table(const SurfaceScores& surfaces, bool has_um) {
  const auto length = [&](double value) {
    return fmt::format("{:.4g} {}", value, has_um ? "um" : "voxels");
  };
  return simulator::section(
      "Surfaces",
      simulator::table(
          {{"score", "mean over pairs", "definition"},
           {"pairs", std::to_string(surfaces.pairs), "true objects with a result, IoU 0.5 or more"},
           {"Hausdorff", length(surfaces.mean.hausdorff_um),
            "largest distance of a surface voxel to the other surface"},
           {"Hausdorff 95 %", length(surfaces.mean.hausdorff95_um),
            "95th percentile of these distances, over both surfaces"},
           {"mean distance", length(surfaces.mean.mean_um),
            "mean of these distances over each surface, then of both"},
           {"boundary F", three_digits(surfaces.mean.boundary_f),
            fmt::format("F1 of the shares of both surfaces within {} of the other",
                        length(surfaces.tolerance))},
           {"largest Hausdorff", length(surfaces.largest_hausdorff), "of all pairs"}}));
}

std::string over_thresholds(const LabelScores& scores) {
  PlotSeries precision{"precision", kOrange, Mark::line, {}},
      recall{"recall", kGreen, Mark::line, {}};
  PlotSeries f1{"F1", kViolet, Mark::line, {}}, ap{"AP", kBlue, Mark::line, {}};
  for (const ThresholdScores& at : scores.thresholds) {
    precision.points.emplace_back(at.threshold, at.precision());
    recall.points.emplace_back(at.threshold, at.recall());
    f1.points.emplace_back(at.threshold, at.f1());
    ap.points.emplace_back(at.threshold, at.ap());
  }
  return simulator::section(
      "Over the threshold of IoU",
      simulator::svg_plot({"smallest IoU of a pair"}, {"score", simulator::Scale::linear, 1},
                          {precision, recall, f1, ap}));
}

constexpr const char* kAboutStrata =
    "Depth is that of the centroid below the first plane, nearest the distance of centroids, snr "
    "the "
    "signal-to-noise ratio of the object in the image, border 1 at the border of the image. A pair "
    "has an IoU of 0.5 or more.";

}  // namespace

std::string label_sections(const std::vector<LabelTask>& tasks, const LabelReport& report,
                           const std::optional<SurfaceScores>& surfaces,
                           const RunContext& context) {
  return simulator::section("Scores", numbers(report.scores)) +
         (surfaces ? surface_table(*surfaces, report.has_um()) : "") +
         over_thresholds(report.scores) + strata_section(report.strata, kAboutStrata) +
         simulator::section("The worst objects", gallery(tasks, worst_objects(report), context));
}

}  // namespace synthoscope::score
