// SPDX-License-Identifier: MIT
// Prints how far apart two sets of images are, and whether they can be distinguished.
#include "textures/answers/compare.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "textures/models/model_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"
#include "tools/words/options.hpp"

namespace synthoscope::tools {
namespace {

class WordsCompare final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "words compare"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Measures how different two sets of images are. Prints mean distances within and "
           "between them; how often the nearest other image is of the same set, about half the "
           "time for sets of equal size that cannot be distinguished; and how likely two sets of "
           "the same kind differ as much.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { files.add_input("model", model_); }
  void print(const textures::TextureModel& model, const textures::TwoSets& sets,
             const textures::Compared& compared, std::uint64_t seed, const Console& console) const;

  std::filesystem::path a_, b_, model_;
  std::int64_t permutations_ = 999;
  LearningOptions learning_;
  InputOptions input_;
  GpuOptions gpu_;
  RunOptions run_;
};

void WordsCompare::describe(OptionTable& table) {
  table.add_argument(required(path_row("A", "", a_, "an image, or a folder of images")));
  table.add_argument(required(path_row("B", "", b_, "image or folder to compare it with")));
  table.group("Test");
  table.add(path_row("model", "MODEL.h5", model_,
                     "model with words and settings, as words train wrote it; without it, words "
                     "are learned from both sets, with the options below"));
  table.add(whole_row("permutations", "N", permutations_, 1,
                      "number of random assignments of images to the two sets, to compare with"));
  learning_.describe(table, [this] { return model_.empty(); });
  gpu_.describe(table);
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void WordsCompare::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const RunContext context = session.context();
  const textures::TwoSets sets = textures::two_sets(a_, b_);
  add_inputs("image", sets.images);

  // Words of a model, or of both sets
  jobs::BrickPlace place{std::string{name()}, gpu_, session.workspace()};
  PlacedRunner runner{place};
  imageio::OpenOptions open = input_.open_options();
  open.limits.memory = &context.memory;
  const textures::TrainingSpec spec = learning_.drawn();
  textures::ReadModel known;
  if (model_.empty())
    known.model = textures::learn_words(sets.images, spec, open, runner, context);
  else
    known = textures::read_model(model_, context);

  const auto compared = textures::compare(
      known.model, sets, {spec.texture.patch, permutations_, spec.seed}, open, runner, context);
  files_.inputs().require_unchanged();
  invocation.console.finish();
  print(known.model, sets, compared, spec.seed, invocation.console);
}

/// "6 images", or "6 images, cut into 24 patches".
std::string images_text(std::int64_t images, std::int64_t textures) {
  const std::string_view many = images == 1 ? "" : "s";
  return textures == images
             ? fmt::format("{} image{}", images, many)
             : fmt::format("{} image{}, cut into {} patches", images, many, textures);
}

void WordsCompare::print(const textures::TextureModel& model, const textures::TwoSets& sets,
                         const textures::Compared& compared, std::uint64_t seed,
                         const Console& console) const {
  const auto& [found, images, of_a, of_b] = compared;
  const std::int64_t images_of_b = std::ssize(sets.images) - sets.of_a;
  if (run_.json)
    return print_json(
        Json{{"a", {{"path", a_.string()}, {"images", sets.of_a}, {"textures", of_a}}},
             {"b", {{"path", b_.string()}, {"images", images_of_b}, {"textures", of_b}}},
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
                  images_text(sets.of_a, of_a), a_.string(), images_text(images_of_b, of_b),
                  b_.string(), found.within_a, found.within_b, found.between, found.energy,
                  found.p_energy, is_cut ? "patch" : "image", 100 * found.accuracy,
                  100 * found.accuracy_by_chance, found.p_accuracy, found.permutations,
                  found.by_images || !is_cut ? "images" : "patches", seed));
}

}  // namespace

std::unique_ptr<Command> make_words_compare() {
  return std::make_unique<WordsCompare>();
}

}  // namespace synthoscope::tools
