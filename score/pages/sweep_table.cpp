// SPDX-License-Identifier: MIT
#include "score/pages/sweep_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;
using Pointer = Json::json_pointer;

std::vector<SweepColumn> label_columns() {
  // Entry 8 of the thresholds is an intersection over union of 0.5
  return {{"truth", Pointer{"/truth"}},
          {"found", Pointer{"/labels/tp/8"}},
          {"false", Pointer{"/labels/fp/8"}},
          {"precision", Pointer{"/labels/precision/8"}, false},
          {"recall", Pointer{"/labels/recall/8"}},
          {"F1", Pointer{"/labels/f1/8"}},
          {"AP", Pointer{"/labels/ap/8"}, true, true},
          {"mean AP", Pointer{"/labels/mean_ap"}, true, true},
          {"mean IoU", Pointer{"/labels/mean_iou"}, false},
          {"PQ", Pointer{"/labels/pq"}, false},
          {"SEG", Pointer{"/labels/seg"}, true, true}};
}

std::vector<SweepColumn> track_columns() {
  return {{"tracks", Pointer{"/truth"}},
          {"DET", Pointer{"/tracks/det"}, true, true},
          {"SEG", Pointer{"/tracks/seg"}},
          {"TRA", Pointer{"/tracks/tra"}, true, true},
          {"LNK", Pointer{"/tracks/lnk"}, true, true},
          {"CT", Pointer{"/tracks/ct"}},
          {"TF", Pointer{"/tracks/tf"}},
          {"BC(0)", Pointer{"/tracks/bc/0"}, false},
          {"CHOTA", Pointer{"/tracks/chota"}}};
}

std::vector<SweepColumn> spot_columns() {
  return {{"truth", Pointer{"/truth"}},
          {"results", Pointer{"/results"}},
          {"precision", Pointer{"/spots/precision"}, true, true},
          {"recall", Pointer{"/spots/recall"}, true, true},
          {"F1", Pointer{"/spots/f1"}, true, true},
          {"Jaccard", Pointer{"/spots/jaccard"}, false},
          {"RMSE yx nm", Pointer{"/spots/rmse_lateral_um"}, true, false, 1000},
          {"RMSE z nm", Pointer{"/spots/rmse_axial_um"}, true, false, 1000},
          {"efficiency y", Pointer{"/spots/efficiency/1"}, false},
          {"efficiency x", Pointer{"/spots/efficiency/2"}, true, true}};
}

std::vector<SweepColumn> image_columns() {
  return {{"NRMSE", Pointer{"/image/nrmse"}, true, true},
          {"PSNR dB", Pointer{"/image/psnr"}},
          {"SSIM", Pointer{"/image/ssim"}, true, true},
          {"fitted NRMSE", Pointer{"/image/fitted/nrmse"}},
          {"fitted SSIM", Pointer{"/image/fitted/ssim"}, false},
          {"FSC um", Pointer{"/image/fsc_um"}}};
}

std::string cell_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.4g}", value.get<double>()) : text_of(value);
}

Json value_of(const SweepColumn& column, const SweptSet& set) {
  if (!set.scores.contains(column.place)) return {};
  const Json& value = set.scores.at(column.place);
  return value.is_number_float() ? Json(column.scale * value.get<double>()) : value;
}

/// Returns the columns that a table has: those with a number in any row.
std::vector<SweepColumn> shown_columns(const std::vector<SweptSet>& sets,
                                       const std::vector<SweepColumn>& columns, bool is_brief) {
  std::vector<SweepColumn> shown;
  for (const SweepColumn& column : columns)
    if ((column.is_brief || !is_brief) &&
        std::any_of(sets.begin(), sets.end(),
                    [&](const SweptSet& set) { return !value_of(column, set).is_null(); }))
      shown.push_back(column);
  return shown;
}

using Points = std::vector<std::pair<double, double>>;

/// Draws a score over a key: a point for each set, and a line through the means.
void add_curve(const std::string& name, const std::string& colour, const Points& points,
               std::vector<PlotSeries>& series) {
  std::map<double, std::pair<double, int>> sums;
  for (const auto& [x, y] : points) {
    sums[x].first += y;
    ++sums[x].second;
  }
  PlotSeries mean{name, colour, Mark::line, {}};
  for (const auto& [x, sum] : sums) mean.points.emplace_back(x, sum.first / sum.second);
  series.push_back(mean);
  series.push_back({"", colour, Mark::points, points});
}

std::string plot_over(const std::string& key, const std::vector<SweptSet>& sets,
                      const std::vector<SweepColumn>& columns) {
  constexpr const char* kColours[] = {"#2f6fb3", "#d9772b", "#3a8f5c", "#7a5aa6"};
  std::vector<PlotSeries> series;
  double low = 0, high = 0;
  for (const SweepColumn& column : columns) {
    if (!column.is_plotted) continue;
    Points points;
    for (const SweptSet& set : sets) {
      const auto x = set.values.at(key).get<double>();
      const bool is_first = series.empty() && points.empty();
      low = is_first ? x : std::min(low, x);
      high = is_first ? x : std::max(high, x);
      if (const Json y = value_of(column, set); y.is_number())
        points.emplace_back(x, y.get<double>());
    }
    add_curve(column.name, kColours[series.size() / 2 % std::size(kColours)], points, series);
  }
  // A range over more than a decade, such as that of light, is read on a logarithmic axis
  const bool is_wide = low > 0 && high >= 10 * low;
  const auto scale = is_wide ? simulator::Scale::logarithmic : simulator::Scale::linear;
  return simulator::svg_plot({key, scale}, {"score", simulator::Scale::linear, 1}, series);
}

}  // namespace

std::vector<SweepColumn> sweep_columns(const std::string& kind) {
  if (kind == "tracks") return track_columns();
  if (kind == "spots") return spot_columns();
  if (kind == "image") return image_columns();
  return label_columns();
}

std::vector<std::vector<std::string>> sweep_rows(const std::vector<SweptSet>& sets,
                                                 const std::vector<SweepColumn>& columns,
                                                 bool is_brief) {
  const std::vector<SweepColumn> shown = shown_columns(sets, columns, is_brief);
  std::vector<std::vector<std::string>> rows{{"folder"}};
  if (!is_brief)
    for (const auto& [key, value] : sets.front().values.items()) rows.front().push_back(key);
  for (const SweepColumn& column : shown) rows.front().push_back(column.name);
  for (const SweptSet& set : sets) {
    std::vector<std::string> row{set.folder};
    if (!is_brief)
      for (const auto& [key, value] : set.values.items()) row.push_back(cell_of(value));
    for (const SweepColumn& column : shown) row.push_back(cell_of(value_of(column, set)));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string sweep_plots(const std::vector<SweptSet>& sets,
                        const std::vector<SweepColumn>& columns) {
  std::string plots;
  for (const auto& [key, value] : sets.front().values.items())
    if (value.is_number()) plots += plot_over(key, sets, columns);
  return plots.empty() ? "" : "<div class='columns'>" + plots + "</div>";
}

std::string score_page(const std::string& title, const std::string& sections) {
  return simulator::page(title, fmt::format("<h1>{}</h1>", simulator::escaped(title)) + sections);
}

std::string sweep_section(const std::vector<SweptSet>& sets,
                          const std::vector<SweepColumn>& columns) {
  if (sets.empty()) return "";
  return simulator::section("Data sets",
                            sweep_plots(sets, columns) + "<div style='overflow-x:auto'>" +
                                simulator::table(sweep_rows(sets, columns, false)) + "</div>");
}

}  // namespace synthoscope::score
