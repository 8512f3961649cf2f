// SPDX-License-Identifier: MIT
#include "tools/learning/comparison.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "textures/models/model_file.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// "6 images", or "6 images, cut into 24 patches".
std::string images_text(std::int64_t images, std::int64_t textures) {
  const std::string_view many = images == 1 ? "" : "s";
  return textures == images
             ? fmt::format("{} image{}", images, many)
             : fmt::format("{} image{}, cut into {} patches", images, many, textures);
}

}  // namespace

ComparedByWords compare_by_words(const WordsComparison& asked, const textures::TwoSets& sets,
                                 const std::string& command, Session& session) {
  const RunContext& context = session.context();
  jobs::BrickPlace place{command, asked.gpu, session.workspace()};
  PlacedRunner runner{place};
  imageio::OpenOptions open = asked.input.open_options();
  open.limits.memory = &context.memory;
  const textures::TrainingSpec spec = asked.learning.drawn();
  textures::ReadModel known;
  if (asked.model.empty())
    known.model = textures::learn_words(sets.images, spec, open, runner, context);
  else
    known = textures::read_model(asked.model, context);
  auto compared =
      textures::compare(known.model, sets, {spec.texture.patch, asked.permutations, spec.seed},
                        open, runner, context);
  return {std::move(known.model), sets, std::move(compared), spec.seed};
}

void print_comparison(const WordsComparison& asked, const ComparedByWords& compared_by_words,
                      bool as_json, const Console& console) {
  const auto& [model, sets, compared, seed] = compared_by_words;
  const auto& [found, images, of_a, of_b] = compared;
  const std::int64_t images_of_b = std::ssize(sets.images) - sets.of_a;
  if (as_json)
    return print_json(
        Json{{"a", {{"path", asked.a.string()}, {"images", sets.of_a}, {"textures", of_a}}},
             {"b", {{"path", asked.b.string()}, {"images", images_of_b}, {"textures", of_b}}},
             {"distance", name_of(model.spec.distance)},
             {"within_a", found.within_a},
             {"within_b", found.within_b},
             {"between", found.between},
             {"energy", found.energy},
             {"p_energy", found.p_energy},
             {"accuracy", found.accuracy},
             {"accuracy_by_chance", found.accuracy_by_chance},
             {"p_accuracy", found.p_accuracy},
             {"permutations", found.permutations},
             {"seed", seed},
             {"by_images", found.by_images},
             {"training", training_json(model)},
             {"warnings", console.warnings()}});
  const bool is_cut = of_a != sets.of_a || of_b != images_of_b;
  print_text(
      fmt::format("A: {}, {}\nB: {}, {}\n"
                  "mean distance within A {:.4f}, within B {:.4f}, between them {:.4f}\n"
                  "energy distance {:.4f}, p = {:.4f}\n"
                  "nearest other {} is of the same set: {:.1f} % (by chance {:.1f} %), p = {:.4f}\n"
                  "{} random assignments of {}, seed {}\n",
                  images_text(sets.of_a, of_a), asked.a.string(), images_text(images_of_b, of_b),
                  asked.b.string(), found.within_a, found.within_b, found.between, found.energy,
                  found.p_energy, is_cut ? "patch" : "image", 100 * found.accuracy,
                  100 * found.accuracy_by_chance, found.p_accuracy, found.permutations,
                  found.by_images || !is_cut ? "images" : "patches", seed));
}

}  // namespace synthoscope::tools
