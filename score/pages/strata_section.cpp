// SPDX-License-Identifier: MIT
#include "score/pages/strata_section.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "core/math/wilson_interval.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;
constexpr const char *kRecallColour = "#2f6fb3", *kIouColour = "#d9772b",
                     *kIntervalColour = "#9aa3b0";

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

std::string short_number(double value) {
  return fmt::format("{:.3f}", value);
}

std::string short_number(const std::optional<double>& value) {
  return value ? short_number(*value) : "undefined";
}

Json json_of(const Stratum& stratum) {
  const auto [low, high] = wilson_interval(stratum.found, stratum.truth);
  return {{"by", stratum.by},
          {"unit", stratum.unit},
          {"low", stratum.low},
          {"high", stratum.high},
          {"truth", stratum.truth},
          {"recall", stratum.recall()},
          {"recall_low", low},
          {"recall_high", high},
          {"false_positives", stratum.false_positives ? Json(*stratum.false_positives) : Json()},
          {"ap", optional_number(stratum.ap())},
          {"mean_iou", optional_number(stratum.mean_iou)}};
}

/// Returns the strata of one property as a step curve between the limits of Wilson's interval.
std::string recall_plot(const std::vector<Stratum>& strata) {
  PlotSeries recall{"recall", kRecallColour, Mark::steps, {}},
      iou{"mean IoU", kIouColour, Mark::steps, {}};
  PlotSeries low{"95 % interval", kIntervalColour, Mark::steps, {}},
      high{"", kIntervalColour, Mark::steps, {}};
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
  std::vector<PlotSeries> series{low, high};
  if (!iou.points.empty()) series.push_back(iou);
  series.push_back(recall);
  return simulator::svg_plot({label}, {"score", simulator::Scale::linear, 1}, series);
}

template <class Has>
bool any_has(const std::vector<Stratum>& strata, Has&& has) {
  return std::any_of(strata.begin(), strata.end(), has);
}

std::string table_of_strata(const std::vector<Stratum>& strata) {
  const bool has_ap = any_has(strata, [](const Stratum& one) { return one.ap().has_value(); });
  const bool has_iou = any_has(strata, [](const Stratum& one) { return one.mean_iou.has_value(); });
  std::vector<std::vector<std::string>> rows{
      {"by", "from", "to", "true objects", "recall", "95 % interval"}};
  if (has_ap) rows.front().emplace_back("AP");
  if (has_iou) rows.front().emplace_back("mean IoU");
  for (const Stratum& stratum : strata) {
    const auto [low, high] = wilson_interval(stratum.found, stratum.truth);
    rows.push_back(
        {stratum.unit.empty() ? stratum.by : fmt::format("{} / {}", stratum.by, stratum.unit),
         fmt::format("{:.4g}", stratum.low), fmt::format("{:.4g}", stratum.high),
         std::to_string(stratum.truth), short_number(stratum.recall()),
         fmt::format("{:.3f} to {:.3f}", low, high)});
    if (has_ap) rows.back().push_back(short_number(stratum.ap()));
    if (has_iou) rows.back().push_back(short_number(stratum.mean_iou));
  }
  return simulator::table(rows);
}

}  // namespace

Json json_of(const std::vector<Stratum>& strata) {
  Json array = Json::array();
  for (const Stratum& stratum : strata) array.push_back(json_of(stratum));
  return array;
}

std::string strata_section(const std::vector<Stratum>& strata, const std::string& note) {
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
          "<p class='note'>Strata hold about the same number of true objects. " + note +
          " The interval is Wilson's: it holds the true recall with a probability of 95 %.</p>");
}

}  // namespace synthoscope::score
