// SPDX-License-Identifier: MIT
#include "score/pages/sweep_table.hpp"
#include <fmt/format.h>
#include <map>
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;

std::string cell_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : text_of(value);
}

/// Draws a score over a key: a point for each set, and a line through the means.
void add_curve(const std::string& name, const std::string& colour,
               const std::vector<std::pair<double, double>>& points,
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
                      const std::vector<LabelScores>& scores) {
  std::vector<std::pair<double, double>> ap, mean_ap, seg;
  double low = 0, high = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto x = sets[i].values.at(key).get<double>();
    ap.emplace_back(x, scores[i].at(0.5).ap());
    mean_ap.emplace_back(x, scores[i].mean_ap);
    seg.emplace_back(x, scores[i].seg);
    low = i == 0 ? x : std::min(low, x);
    high = std::max(high, x);
  }
  std::vector<PlotSeries> series;
  add_curve("AP at IoU 0.5", "#2f6fb3", ap, series);
  add_curve("mean AP", "#d9772b", mean_ap, series);
  add_curve("SEG", "#3a8f5c", seg, series);
  // A range over more than a decade, such as that of light, is read on a logarithmic axis
  const bool is_wide = low > 0 && high >= 10 * low;
  const auto scale = is_wide ? simulator::Scale::logarithmic : simulator::Scale::linear;
  return simulator::svg_plot({key, scale}, {"score", simulator::Scale::linear, 1}, series);
}

}  // namespace

std::vector<std::vector<std::string>> sweep_rows(const std::vector<SweptSet>& sets,
                                                 const std::vector<LabelScores>& scores) {
  std::vector<std::vector<std::string>> rows{{"folder"}};
  for (const auto& [key, value] : sets.front().values.items()) rows.front().push_back(key);
  for (const char* name : {"truth", "found", "false", "precision", "recall", "F1", "AP", "mean AP",
                           "mean IoU", "PQ", "SEG"})
    rows.front().emplace_back(name);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const LabelScores& s = scores[i];
    const ThresholdScores& half = s.at(0.5);
    std::vector<std::string> row{sets[i].folder};
    for (const auto& [key, value] : sets[i].values.items()) row.push_back(cell_of(value));
    for (const std::int64_t count : {s.truth, half.tp, half.fp})
      row.push_back(std::to_string(count));
    for (const double score : {half.precision(), half.recall(), half.f1(), half.ap(), s.mean_ap})
      row.push_back(fmt::format("{:.3f}", score));
    row.push_back(half.mean_iou() ? fmt::format("{:.3f}", *half.mean_iou()) : "-");
    for (const double score : {s.pq, s.seg}) row.push_back(fmt::format("{:.3f}", score));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string sweep_plots(const std::vector<SweptSet>& sets, const std::vector<LabelScores>& scores) {
  std::string plots;
  for (const auto& [key, value] : sets.front().values.items())
    if (value.is_number()) plots += plot_over(key, sets, scores);
  return plots.empty() ? "" : "<div class='columns'>" + plots + "</div>";
}

}  // namespace synthoscope::score
