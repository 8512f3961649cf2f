// SPDX-License-Identifier: MIT
#include "tools/jobs/score_text.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/math/wilson_interval.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

std::string number(double value) {
  return fmt::format("{:.3f}", value);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "-";
}

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string lines_of(const score::LabelScores& s) {
  const score::ThresholdScores& half = s.at(0.5);
  std::string text;
  text += line("truth", counted(s.truth, "object", "objects") +
                            (s.images > 1 ? fmt::format(" in {} images", s.images) : ""));
  text += line("result", counted(s.results, "object", "objects"));
  text +=
      line("found", fmt::format("{} at IoU 0.5, {} missed, {} false", half.tp, half.fn, half.fp));
  text +=
      line("precision", fmt::format("{}, recall {}, F1 {}, AP {}", number(half.precision()),
                                    number(half.recall()), number(half.f1()), number(half.ap())));
  text += line("mean AP", fmt::format("{} over IoU 0.5 to 0.95", number(s.mean_ap)));
  text += line("mean IoU",
               fmt::format("{} of those found, SEG {}", number(half.mean_iou()), number(s.seg)));
  text += line("PQ", fmt::format("{} = SQ {} x RQ {}", number(s.pq), number(s.panoptic.mean_iou()),
                                 number(s.panoptic.f1())));
  text += line("split", fmt::format("{}, merged {}", s.splits, s.merges));
  text += line("Dice", fmt::format("{} of the foreground", number(s.dice)));
  text += line(
      "VI", fmt::format("{} bits split, {} bits merged", number(s.vi_split), number(s.vi_merge)));
  text += line("Rand error", fmt::format("{}, adapted", number(s.adapted_rand_error)));
  return text;
}

std::string line_of(const score::SurfaceScores& s, bool has_um) {
  if (s.pairs == 0) return line("surfaces", "no pair");
  const char* const unit = has_um ? "um" : "voxels";
  return line("surfaces",
              fmt::format("{:.3g} {} apart, Hausdorff {:.3g}, 95 % {:.3g}, boundary F {} at {:.3g}",
                          s.mean.mean_um, unit, s.mean.hausdorff_um, s.mean.hausdorff95_um,
                          number(s.mean.boundary_f), s.tolerance));
}

std::string table_of(const std::vector<score::Stratum>& strata) {
  if (strata.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"by", "from", "to", "truth", "recall", "95 %", "AP", "mean IoU"}};
  for (const score::Stratum& stratum : strata) {
    const auto [low, high] = wilson_interval(stratum.found, stratum.truth);
    const bool is_border = stratum.by == "border";
    rows.push_back({is_border              ? stratum.low > 0 ? "at the border" : "off the border"
                    : stratum.unit.empty() ? stratum.by
                                           : fmt::format("{} {}", stratum.by, stratum.unit),
                    is_border ? "" : fmt::format("{:.4g}", stratum.low),
                    is_border ? "" : fmt::format("{:.4g}", stratum.high),
                    std::to_string(stratum.truth), fmt::format("{:.2f}", stratum.recall()),
                    fmt::format("{:.2f} to {:.2f}", low, high),
                    stratum.ap() ? fmt::format("{:.2f}", *stratum.ap()) : "-",
                    stratum.mean_iou ? fmt::format("{:.2f}", *stratum.mean_iou) : "-"});
  }
  return "\n" + columns_text(rows);
}

}  // namespace

std::string swept_scores_text(const std::vector<std::vector<std::string>>& rows) {
  // Names of folders hold the values of the keys, and a terminal is narrow
  const std::vector<std::string> shown{"folder", "truth", "found",   "false", "recall",
                                       "F1",     "AP",    "mean AP", "SEG"};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < rows.front().size(); ++i)
    if (std::find(shown.begin(), shown.end(), rows.front()[i]) != shown.end()) places.push_back(i);
  std::vector<std::vector<std::string>> narrow;
  for (const auto& row : rows) {
    narrow.emplace_back();
    for (const std::size_t place : places) narrow.back().push_back(row[place]);
  }
  return columns_text(narrow) + "\n";
}

std::string score_text(const score::LabelReport& report,
                       const std::optional<score::SurfaceScores>& surfaces) {
  return lines_of(report.scores) + (surfaces ? line_of(*surfaces, report.has_um()) : "") +
         table_of(report.strata);
}

}  // namespace synthoscope::tools
