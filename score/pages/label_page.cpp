// SPDX-License-Identifier: MIT
#include "score/pages/label_page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/math/wilson_interval.hpp"
#include "score/pages/gallery.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;
constexpr const char *kBlue = "#2f6fb3", *kOrange = "#d9772b", *kGreen = "#3a8f5c",
                     *kGrey = "#9aa3b0", *kViolet = "#7a5aa6";

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

/// Returns the strata of one property as a step curve between the limits of Wilson's interval.
std::string recall_plot(const std::vector<Stratum>& strata) {
  PlotSeries recall{"recall", kBlue, Mark::steps, {}}, iou{"mean IoU", kOrange, Mark::steps, {}};
  PlotSeries low{"95 % interval", kGrey, Mark::steps, {}}, high{"", kGrey, Mark::steps, {}};
  for (const Stratum& stratum : strata) {
    const auto [from, to] = wilson_interval(stratum.found, stratum.truth);
    for (const double x : {stratum.low, stratum.high}) {
      recall.points.emplace_back(x, stratum.recall());
      low.points.emplace_back(x, from);
      high.points.emplace_back(x, to);
      if (stratum.mean_iou) iou.points.emplace_back(x, *stratum.mean_iou);
    }
  }
  const Stratum& first = strata.front();
  const std::string label =
      first.unit.empty() ? first.by : fmt::format("{} / {}", first.by, first.unit);
  return simulator::svg_plot({label}, {"score", simulator::Scale::linear, 1},
                             {low, high, iou, recall});
}

std::string table_of_strata(const std::vector<Stratum>& strata) {
  std::vector<std::vector<std::string>> rows{
      {"by", "from", "to", "true objects", "recall", "95 % interval", "AP", "mean IoU"}};
  for (const Stratum& stratum : strata) {
    const auto [low, high] = wilson_interval(stratum.found, stratum.truth);
    rows.push_back(
        {stratum.unit.empty() ? stratum.by : fmt::format("{} / {}", stratum.by, stratum.unit),
         fmt::format("{:.4g}", stratum.low), fmt::format("{:.4g}", stratum.high),
         std::to_string(stratum.truth), three_digits(stratum.recall()),
         fmt::format("{:.3f} to {:.3f}", low, high), three_digits(stratum.ap()),
         three_digits(stratum.mean_iou)});
  }
  return simulator::table(rows);
}

std::string by_strata(const std::vector<Stratum>& strata) {
  if (strata.empty()) return "";
  std::string plots = "<div class='columns'>";
  for (auto begin = strata.begin(); begin != strata.end();) {
    const auto end = std::find_if(begin, strata.end(),
                                  [&](const Stratum& other) { return other.by != begin->by; });
    if (begin->by != "border") plots += recall_plot({begin, end});
    begin = end;
  }
  return simulator::section(
      "Where it fails",
      plots + "</div>" + table_of_strata(strata) +
          "<p class='note'>Strata hold about the same number of true objects. Depth is that of the "
          "centroid below the first plane, nearest the distance of centroids, snr the "
          "signal-to-noise ratio of the object in the image, border 1 at the border of the image. "
          "A pair has an IoU of 0.5 or more. The interval is Wilson's: it holds the true recall "
          "with a probability of 95 %.</p>");
}

std::string by_set(const LabelPage& page) {
  if (page.sets.empty()) return "";
  return simulator::section(
      "Data sets", sweep_plots(page.sets, page.report.of_tasks) + "<div style='overflow-x:auto'>" +
                       simulator::table(sweep_rows(page.sets, page.report.of_tasks)) + "</div>");
}

}  // namespace

std::string html_of(const LabelPage& page, const RunContext& context) {
  const LabelReport& report = page.report;
  const std::string head = fmt::format("<h1>{}</h1><p class='note'>Scores of a segmentation.</p>",
                                       simulator::escaped(page.title));
  return simulator::page(
      page.title, head + simulator::section("Scores", numbers(report.scores)) +
                      (page.surfaces ? surface_table(*page.surfaces, report.has_um()) : "") +
                      by_set(page) + over_thresholds(report.scores) + by_strata(report.strata) +
                      simulator::section("The worst objects",
                                         gallery(page.tasks, worst_objects(report), context)));
}

}  // namespace synthoscope::score
