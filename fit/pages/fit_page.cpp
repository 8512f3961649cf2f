// SPDX-License-Identifier: MIT
#include "fit/pages/fit_page.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include "imageio/small/png_preview.hpp"
#include "score/likeness/likeness_page.hpp"
#include "score/pages/sweep_table.hpp"
#include "simulator/pictures/canvas.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"
#include "textures/patches/grey_plane.hpp"

namespace synthoscope::fit {
namespace {

using simulator::PlotSeries;

constexpr const char* kPointColour = "#2f6fb3";
constexpr const char* kLineColour = "#d9772b";
constexpr std::int64_t kWidestPicture = 700;
constexpr double kBlackQuantile = 0.002, kWhiteQuantile = 0.998;

std::string key_with_axis(const Estimate& estimate) {
  constexpr std::string_view kAxisLetters[] = {"z", "y", "x"};
  if (!estimate.axis) return estimate.key;
  return fmt::format("{}, {}", estimate.key,
                     kAxisLetters[static_cast<std::size_t>(*estimate.axis)]);
}

std::string table_of_estimates(const std::vector<Estimate>& estimates) {
  if (estimates.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"key", "value", "95 % interval", "", "", "from what"}};
  for (const Estimate& one : estimates)
    rows.push_back({key_with_axis(one), fmt::format("{:.4g}", one.value),
                    fmt::format("{:.4g} to {:.4g}", one.low, one.high), one.unit,
                    std::string{name_in(kOriginNames, one.origin)}, one.how});
  return simulator::table(rows);
}

std::string table_of_compared(const std::vector<ComparedNumber>& compared) {
  if (compared.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"measured alike in both", "real", "twin", "difference, in standard errors"}};
  for (const ComparedNumber& one : compared)
    rows.push_back({one.name, fmt::format("{:.4g}", one.real), fmt::format("{:.4g}", one.twin),
                    fmt::format("{:+.1f}", one.off)});
  return "<details><summary>What the keys were fitted to</summary>" + simulator::table(rows) +
         "</details>";
}

std::string drawn(const Plot& plot) {
  const auto series = [](std::string colour, PlotSeries::Mark mark, const std::vector<double>& x,
                         const std::vector<double>& y, std::string name) {
    PlotSeries result{std::move(name), std::move(colour), mark, {}};
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      result.points.emplace_back(x[i], y[i]);
    return result;
  };
  std::vector<PlotSeries> all{
      series(kPointColour, PlotSeries::Mark::points, plot.x, plot.y, plot.points_name)};
  if (!plot.line_x.empty())
    all.push_back(
        series(kLineColour, PlotSeries::Mark::line, plot.line_x, plot.line_y, plot.line_name));
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>",
                     simulator::svg_plot({plot.x_label}, {plot.y_label}, all),
                     simulator::escaped(plot.title));
}

std::string section_of_stage(const Findings& stage) {
  std::string body;
  if (!stage.refusal.empty())
    body += fmt::format("<p>Not fitted: {}.</p>", simulator::escaped(stage.refusal));
  body += table_of_estimates(stage.estimates);
  for (const std::string& untold : stage.untold)
    body += fmt::format("<p class='note'>{}</p>", simulator::escaped(untold));
  body += table_of_compared(stage.compared);
  std::string plots;
  for (const Plot& plot : stage.plots) plots += drawn(plot);
  if (!plots.empty()) body += "<div class='columns'>" + plots + "</div>";
  std::string title{name_in(kStageNames, stage.stage)};
  title.front() = static_cast<char>(std::toupper(title.front()));
  return simulator::section(title, body);
}

/// The levels of the real plane that are shown black and white, for both pictures.
std::pair<double, double> levels_of(const LabelledImage& plane) {
  std::vector<double> values(plane.counts.voxels.begin(), plane.counts.voxels.end());
  std::sort(values.begin(), values.end());
  const double low = textures::quantile_of_sorted(values, kBlackQuantile);
  const double high = textures::quantile_of_sorted(values, kWhiteQuantile);
  return {low, high > low ? high : low + 1};
}

std::string picture_of_plane(const LabelledImage& plane, const std::pair<double, double>& levels,
                             std::string_view described) {
  const Extent3& extent = plane.grid.extent;
  const std::int64_t width = std::min(extent.x, kWidestPicture);
  const std::int64_t height = std::min(extent.y, kWidestPicture);
  simulator::Canvas canvas{width, height, {1, 1, 1}};
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const double grey = std::clamp(
          (plane.counts.view()(0, y, x) - levels.first) / (levels.second - levels.first), 0.0, 1.0);
      canvas.set(x, y, {grey, grey, grey});
    }
  return simulator::picture(imageio::png_bytes(width, height, canvas.pixels()), described);
}

std::string place_name(textures::PatchPlace where) {
  switch (where) {
    case textures::PatchPlace::inside:
      return "inside objects";
    case textures::PatchPlace::edge:
      return "at the edges of objects";
    case textures::PatchPlace::all:
      return "anywhere";
  }
  return {};
}

std::string sections_of_evidence(const Evidence& evidence) {
  const auto levels = levels_of(evidence.real);
  std::string text = simulator::section(
      "Side by side",
      fmt::format("<p class='note'>The twin is judged by {}. Both pictures have the same grey "
                  "levels.</p><div class='columns'>",
                  simulator::escaped(evidence.held_out)) +
          picture_of_plane(evidence.real, levels, "Real") +
          picture_of_plane(evidence.twin, levels, "Twin") + "</div>");
  if (!evidence.refusal.empty())
    text += simulator::section(
        "Evidence", fmt::format("<p>There is none: {}.</p>", simulator::escaped(evidence.refusal)));
  for (const std::string& warning : evidence.warnings)
    text += fmt::format("<p class='note'>{}</p>", simulator::escaped(warning));
  for (const ComparedPlace& place : evidence.places)
    text += fmt::format("<h2>Patches {}</h2>", place_name(place.where)) +
            score::likeness_sections(place.compared);
  return text;
}

}  // namespace

std::string fit_page(const Twin& twin, const std::vector<std::string>& images) {
  std::string sections;
  if (twin.evidence) sections += sections_of_evidence(*twin.evidence);
  for (const Findings& stage : twin.findings) sections += section_of_stage(stage);
  return score::score_page(fmt::format("A twin of {}", fmt::join(images, ", ")), sections);
}

}  // namespace synthoscope::fit
