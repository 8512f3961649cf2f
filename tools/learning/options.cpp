// SPDX-License-Identifier: MIT
#include "tools/learning/options.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/scene.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {

using kernels::FilterBank;
using kernels::HistogramDistance;

namespace {

/// Adds rows to a table. In commands that may also read words, the options about learning words are
/// valid only if `learns`.
auto adder_of_learning(OptionTable& table, std::string_view when,
                       const std::function<bool()>& learns) {
  return [&table, when, learns](Option row) {
    table.add(learns ? only(std::string{when}, learns, std::move(row)) : std::move(row));
  };
}

}  // namespace

Extent3 parse_patch(std::string_view text) {
  const auto words = split_at_commas(text);
  if (words.size() > 3)
    throw InvalidSpec(fmt::format("'{}' is not the size of a patch; write Y,X or Z,Y,X", text));
  const auto axis = [&](std::size_t from_last) {
    return parse_whole(words[words.size() - 1 - from_last], 1);
  };
  return {words.size() == 3 ? axis(2) : 0, words.size() == 1 ? axis(0) : axis(1), axis(0)};
}

void LearningOptions::describe(OptionTable& table, const std::function<bool()>& learns) {
  describe_measuring(table, learns);
  const auto add = adder_of_learning(table, when, learns);
  table.group("Words");
  add(whole_row("words", "K", spec.words, 1, "words to learn, up to 65536"));
  add(whole_row("samples", "N", spec.samples_each, 1,
                "voxels chosen at random in each image, or patch, to learn from"));
  add({"iterations", "N", std::to_string(spec.most_iterations), "",
       "largest number of rounds of k-means; it ends earlier if the words have converged",
       [this](std::string_view text) {
         spec.most_iterations = static_cast<int>(parse_whole(text, 1, 1'000'000));
       }});
  table.add(seed_row(seed));
}

void LearningOptions::describe_measuring(OptionTable& table, const std::function<bool()>& learns) {
  const auto add = adder_of_learning(table, when, learns);
  textures::TextureSpec& texture = spec.texture;
  table.group("Textures");
  add(choice_row(
      "bank", texture.features.filters.bank,
      {FilterBank::mr8, FilterBank::leung_malik, FilterBank::schmid, FilterBank::invariants},
      "filters whose responses describe a voxel: mr8 and schmid do not depend on rotation, lm "
      "does; these work on planes, invariants on planes or volumes"));
  add({"standardize", "on|off", "on", "",
       "divide by the standard deviation of each image, so that neither its brightness nor its "
       "contrast matters",
       [&texture](std::string_view text) { texture.features.standardised = parse_on_off(text); }});
  add({"contrast-normalize", "on|off", "off", "",
       "compress responses by Weber's law, voxel by voxel, so that strong structures do not "
       "outweigh faint ones",
       [&texture](std::string_view text) {
         texture.features.contrast_normalised = parse_on_off(text);
       }});
  add(choice_row("planes", texture.planes, textures::kPlanesNames, "planes of a stack to use"));
  table.add({"patch", "[Z,]Y,X", std::string{without_patch}, "voxels",
             "cut images into patches, each treated as a separate image; without Z, patches have "
             "all planes; the remainder at the far faces is not used",
             [&texture](std::string_view text) { texture.patch = parse_patch(text); }});
  add({"levels", "L", std::to_string(texture.levels), "",
       "levels of a spatial pyramid: 0 counts words in the whole image, each further level in "
       "parts half as large, up to 5",
       [&texture](std::string_view text) {
         texture.levels = static_cast<int>(parse_whole(text, 0, 5));
       }});
  add(choice_row("distance", texture.distance,
                 {HistogramDistance::chi_square, HistogramDistance::euclidean,
                  HistogramDistance::intersection},
                 "how two histograms of words are compared"));
}

textures::TrainingSpec LearningOptions::drawn() const {
  textures::TrainingSpec complete = spec;
  complete.seed = static_cast<std::uint64_t>(seed ? *seed : drawn_seed());
  return complete;
}

void PlacedRunner::run(kernels::Operation& operation, Source& source, Sink& sink,
                       double host_seconds, const RunContext& context) {
  const jobs::PlacedBricks plan =
      place_.plan(operation, source.extent(), source.pixel_type(), BoxOrder::any, host_seconds, 0);
  Sink* const sinks[] = {&sink};
  place_.run(plan, operation, source, sinks, context);
}

Json training_json(const textures::TextureModel& model) {
  const textures::TrainingRecord& training = model.training;
  return {{"words", model.dictionary.size()},
          {"features", model.dictionary.features},
          {"bank", name_of(model.spec.features.filters.bank)},
          {"samples", training.samples},
          {"inertia", training.inertia},
          {"iterations", training.iterations},
          {"converged", training.converged},
          {"seed", training.seed}};
}

}  // namespace synthoscope::tools
