// SPDX-License-Identifier: MIT
#include "score/likeness/likeness_table.hpp"
#include <fmt/format.h>
#include <cmath>

namespace synthoscope::score {
namespace {

using textures::MeasureBesideNull;
using textures::NullPlace;

std::string counted(std::int64_t count, std::string_view what, std::string_view end = "s") {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : end);
}

std::string place_text(const MeasureBesideNull& measure) {
  if (!measure.value) return "too few patches";
  if (measure.null.empty()) return "no null";
  const std::string rank = fmt::format("{} of {} below", measure.below, measure.null.size());
  if (measure.place == NullPlace::open) return "undecided, " + rank;
  return (measure.place == NullPlace::inside ? "inside, " : "above, ") + rank;
}

std::vector<std::string> measure_row(std::string_view name, const MeasureBesideNull& measure) {
  return {
      std::string{name}, measure.value ? fmt::format("{:.3f}", *measure.value) : "none",
      measure.null.empty() ? "none" : fmt::format("{:.3f} to {:.3f}", measure.low, measure.high),
      place_text(measure)};
}

/// "x 0.56" of a logarithm, "+0.031" otherwise.
std::string difference_text(const textures::StatisticEffect& effect) {
  if (textures::kPatchStatistics[effect.statistic].is_logarithm)
    return fmt::format("x {:.2f}", std::pow(10, effect.difference));
  return fmt::format("{:+.3g}", effect.difference);
}

std::string patches_text(const ComparedImages& compared) {
  const std::int64_t side = compared.patch.side;
  std::string text = fmt::format("{0} x {0} pixels", side);
  if (const auto pixel = compared.pixel_um())
    text += fmt::format(", {0:.3g} x {0:.3g} um", static_cast<double>(side) * *pixel);
  if (compared.patch.where == textures::PatchPlace::inside) return text + ", inside objects";
  if (compared.patch.where == textures::PatchPlace::edge) return text + ", at the edges of objects";
  return text + ", everywhere";
}

}  // namespace

WordRows compared_rows(const ComparedImages& compared) {
  const textures::Likeness& found = compared.likeness;
  return {{"real", fmt::format("{}, {}", counted(found.real_images, "image"),
                               counted(found.real_patches, "patch", "es"))},
          {"synthetic", fmt::format("{}, {}", counted(found.synthetic_images, "image"),
                                    counted(found.synthetic_patches, "patch", "es"))},
          {"patches", patches_text(compared)},
          {"objects",
           compared.by_labels ? "what is labelled" : "what is brighter than Otsu's threshold"},
          {"seed", fmt::format("{}", compared.seed)}};
}

WordRows measure_rows(const ComparedImages& compared, bool with_definitions) {
  const textures::Likeness& found = compared.likeness;
  WordRows rows{{"measure", "real", "null, 95 %", "the real set lies"},
                measure_row("AUC, logistic regression", found.logistic),
                measure_row("AUC, random forest", found.forest),
                measure_row("energy distance", found.energy),
                measure_row("sliced Wasserstein", found.sliced)};
  if (!with_definitions) return rows;
  const char* const definitions[] = {
      "definition",
      "how often a synthetic patch gets a larger score than a real one, of images that were not "
      "learned from: 0.5 by chance, 1 if patches are always told apart",
      "the same by a random forest, which also sees combinations of statistics",
      "(2 E|X-Y| - E|X-X'| - E|Y-Y'|) / 2 E|X-Y| of all statistics, in standard deviations of the "
      "real set: 0 for equal sets, at most 1",
      "mean distance of the sorted patches of both sets along random directions, in standard "
      "deviations of the real set"};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].emplace_back(definitions[i]);
  return rows;
}

std::string energy_sentence(const textures::EnergyTest& test) {
  return fmt::format(
      "Energy distance: p = {:.4f}, from {} assignments of whole images to the two sets; p can be "
      "no smaller than {:.4f}.",
      test.p,
      test.all_assignments ? fmt::format("all {}", test.assignments)
                           : fmt::format("{} random", test.assignments),
      test.least_p);
}

std::vector<textures::StatisticEffect> telling_effects(const ComparedImages& compared,
                                                       std::size_t most) {
  std::vector<textures::StatisticEffect> telling;
  for (const textures::StatisticEffect& effect : compared.likeness.effects)
    if (telling.size() < most && (!effect.null_bound || effect.gives_away()))
      telling.push_back(effect);
  return telling;
}

WordRows effect_rows(const ComparedImages& compared, std::size_t most) {
  WordRows rows{{"effect", "null", "synthetic - real", "synthetic images have"}};
  for (const textures::StatisticEffect& effect : telling_effects(compared, most))
    rows.push_back({fmt::format("{:+.2f}", effect.effect),
                    effect.null_bound ? fmt::format("{:.2f}", *effect.null_bound) : "none",
                    difference_text(effect),
                    words_of(textures::kPatchStatistics[effect.statistic], effect.difference > 0,
                             compared.pixel_um())});
  return rows;
}

}  // namespace synthoscope::score
