// SPDX-License-Identifier: MIT
#include "score/likeness/likeness_page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "imageio/small/png_preview.hpp"
#include "score/likeness/likeness_table.hpp"
#include "simulator/pictures/canvas.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using textures::GreyPlane;
using textures::MeasuredImage;
using Mark = PlotSeries::Mark;

constexpr std::size_t kRows = 4, kColumns = 6, kPlottedEffects = 6, kListedEffects = 20;
constexpr int kBins = 24;
constexpr const char* kRealColour = "#d9772b";
constexpr const char* kSyntheticColour = "#2f6fb3";
constexpr const char* kNullColour = "#9aa3b0";

/// Returns patches of as many images as possible.
std::vector<const GreyPlane*> patches_to_show(const std::vector<MeasuredImage>& images) {
  std::vector<const GreyPlane*> shown;
  for (std::size_t round = 0; shown.size() < kRows * kColumns; ++round) {
    const std::size_t before = shown.size();
    for (const MeasuredImage& image : images)
      if (round < image.shown.size() && shown.size() < kRows * kColumns)
        shown.push_back(&image.shown[round]);
    if (shown.size() == before) break;
  }
  return shown;
}

/// The levels that are shown black and white, of the patches of real images.
std::pair<double, double> shown_levels(const std::vector<const GreyPlane*>& patches) {
  std::vector<double> values;
  for (const GreyPlane* patch : patches)
    values.insert(values.end(), patch->values.begin(), patch->values.end());
  std::sort(values.begin(), values.end());
  const double low = textures::quantile_of_sorted(values, 0.002);
  const double high = textures::quantile_of_sorted(values, 0.998);
  return {low, high > low ? high : low + 1};
}

std::string picture_of_patches(const std::vector<const GreyPlane*>& patches,
                               const std::pair<double, double>& levels,
                               std::string_view described) {
  const std::int64_t side = patches.front()->width;
  const std::int64_t enlarged = std::max<std::int64_t>(1, 96 / side), step = side * enlarged + 4;
  const auto columns = static_cast<std::int64_t>(std::min(kColumns, patches.size()));
  const std::int64_t rows = (std::ssize(patches) + columns - 1) / columns;
  simulator::Canvas canvas{columns * step, rows * step, {1, 1, 1}};
  for (std::int64_t i = 0; i < std::ssize(patches); ++i)
    for (std::int64_t y = 0; y < side * enlarged; ++y)
      for (std::int64_t x = 0; x < side * enlarged; ++x) {
        const double value = patches[static_cast<std::size_t>(i)]->at(y / enlarged, x / enlarged);
        const double grey =
            std::clamp((value - levels.first) / (levels.second - levels.first), 0.0, 1.0);
        canvas.set(i % columns * step + x, i / columns * step + y, {grey, grey, grey});
      }
  return simulator::picture(imageio::png_bytes(canvas.width(), canvas.height(), canvas.pixels()),
                            described);
}

std::string pictures(const ComparedImages& compared) {
  const auto real = patches_to_show(compared.real.images);
  const auto synthetic = patches_to_show(compared.synthetic.images);
  const auto levels = shown_levels(real);
  return "<div class='columns'>" + picture_of_patches(real, levels, "Patches of real images") +
         picture_of_patches(synthetic, levels,
                            "Patches of synthetic images, at the same levels relative to those of "
                            "the objects") +
         "</div>";
}

std::vector<double> values_of(const std::vector<MeasuredImage>& images, std::size_t statistic) {
  std::vector<double> values;
  for (const MeasuredImage& image : images)
    for (std::size_t i = 0; i < image.patches(); ++i)
      values.push_back(image.statistics.row(i)[statistic]);
  std::sort(values.begin(), values.end());
  return values;
}

PlotSeries distribution(std::string name, const char* colour, const std::vector<double>& sorted,
                        double low, double high) {
  std::vector<double> counts(kBins);
  for (const double value : sorted) {
    const double bin = std::floor((value - low) / (high - low) * kBins);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0, double{kBins - 1}))];
  }
  PlotSeries series{std::move(name), colour, Mark::steps, {}};
  for (int i = 0; i <= kBins; ++i)
    series.points.emplace_back(low + i * (high - low) / kBins,
                               counts[static_cast<std::size_t>(std::min(i, kBins - 1))] /
                                   static_cast<double>(sorted.size()));
  return series;
}

std::string plot_of_statistic(const ComparedImages& compared, std::size_t statistic, bool is_more) {
  const textures::PatchStatistic& row = textures::kPatchStatistics[statistic];
  const auto real = values_of(compared.real.images, statistic);
  const auto synthetic = values_of(compared.synthetic.images, statistic);
  const auto end = [&](double share, auto&& choose) {
    return choose(textures::quantile_of_sorted(real, share),
                  textures::quantile_of_sorted(synthetic, share));
  };
  const double low = end(0.01, [](double a, double b) { return std::min(a, b); });
  const double high = end(0.99, [](double a, double b) { return std::max(a, b); });
  if (!(high > low)) return "";
  return fmt::format(
      "<figure>{}<figcaption>Synthetic images have {}</figcaption></figure>",
      simulator::svg_plot({std::string{row.name}}, {"share of patches"},
                          {distribution("real", kRealColour, real, low, high),
                           distribution("synthetic", kSyntheticColour, synthetic, low, high)}),
      simulator::escaped(words_of(row, is_more, compared.pixel_um())));
}

std::string section_of_effects(const ComparedImages& compared) {
  const WordRows rows = effect_rows(compared, kListedEffects);
  if (rows.size() == 1)
    return "<p>No statistic lies outside its null: none gives the synthetic images away.</p>";
  std::string plots;
  for (const textures::StatisticEffect& effect : telling_effects(compared, kPlottedEffects))
    plots += plot_of_statistic(compared, effect.statistic, effect.difference > 0);
  return "<p class='note'>effect: mean of synthetic patches minus mean of real ones, over the "
         "standard deviation of patches. null: the size below which 95 % of the effects of "
         "synthetic images lie that were taken as if they were real; statistics within it are left "
         "out. Levels are relative to the level of the objects, and x stands for a ratio.</p>" +
         simulator::table(rows) + "<div class='columns'>" + plots + "</div>";
}

/// The share of the null below each value, and the real value as a line.
std::string plot_of_null(const textures::MeasureBesideNull& measure, std::string name) {
  if (measure.null.empty() || !measure.value) return "";
  std::vector<double> sorted = measure.null;
  std::sort(sorted.begin(), sorted.end());
  PlotSeries null{"synthetic as if real", kNullColour, Mark::points, {}};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    null.points.emplace_back(sorted[i],
                             (static_cast<double>(i) + 0.5) / static_cast<double>(sorted.size()));
  const PlotSeries real{
      "real", kRealColour, Mark::line, {{*measure.value, 0}, {*measure.value, 1}}};
  return simulator::svg_plot({std::move(name)}, {"share of draws", simulator::Scale::linear, 1},
                             {null, real});
}

std::string plot_of_roc(const textures::Likeness& found) {
  if (found.logistic_roc.empty() || found.forest_roc.empty()) return "";
  return simulator::svg_plot(
      {"real patches taken as synthetic", simulator::Scale::linear, 1},
      {"synthetic patches found", simulator::Scale::linear, 1},
      {{"logistic regression", kSyntheticColour, Mark::line, found.logistic_roc},
       {"random forest", kRealColour, Mark::line, found.forest_roc},
       {"chance", kNullColour, Mark::line, {{0, 0}, {1, 1}}}});
}

}  // namespace

std::string likeness_sections(const ComparedImages& compared) {
  const textures::Likeness& found = compared.likeness;
  WordRows what{{"", ""}};
  for (auto& row : compared_rows(compared)) what.push_back(std::move(row));
  const std::string nulls = plot_of_null(found.forest, "AUC, random forest") +
                            plot_of_null(found.logistic, "AUC, logistic regression") +
                            plot_of_null(found.energy, "energy distance") + plot_of_roc(found);
  return simulator::section(
             "Verdict", fmt::format("<p>{}</p><p>{}</p>", simulator::escaped(verdict_of(compared)),
                                    simulator::escaped(energy_sentence(found.test))) +
                            simulator::table(measure_rows(compared, true))) +
         simulator::section("Patches", pictures(compared)) +
         simulator::section("What gives the synthetic images away", section_of_effects(compared)) +
         simulator::section(
             "Null",
             "<p class='note'>Each point is a synthetic image, or as many of them as there are "
             "real ones, taken as if it were real and compared with the others. The ROC curves are "
             "those of the first group of images that was tested.</p><div class='columns'>" +
                 nulls + "</div>") +
         simulator::section("What was compared", simulator::table(what));
}

}  // namespace synthoscope::score
