// SPDX-License-Identifier: MIT
// Says how far apart two sets of images are, and whether they can be told apart.
#include <fmt/format.h>
#include "core/json.hpp"
#include "textures/compare.hpp"
#include "textures/model_file.hpp"
#include "tools/commands.hpp"
#include "tools/option_rows.hpp"
#include "tools/result.hpp"
#include "tools/words_options.hpp"

namespace synthoscope::tools {
namespace {

class WordsCompare final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "words compare"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Says how far apart two sets of images are. Mean distances within and between them, how "
           "often the nearest other texture is of the same set, about half the time for sets that "
           "cannot be told apart, and how likely sets of one kind are to look so different.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void print(const textures::TextureModel& model, const textures::SetComparison& found,
             const textures::SetDistances& distances, const std::vector<std::size_t>& images,
             std::uint64_t seed, const Console& console) const;

  std::filesystem::path a_, b_, model_;
  std::int64_t permutations_ = 999;
  LearningOptions learning_;
  InputOptions input_;
  GpuOptions gpu_;
  RunOptions run_;
};

void WordsCompare::describe(OptionTable& table) {
  table.add_argument(required(path_row("A", "", a_, "an image, or a folder of images")));
  table.add_argument(required(path_row("B", "", b_, "another one")));
  table.group("Test");
  table.add(path_row("model", "MODEL.h5", model_,
                     "words and measures of a model that words train wrote; without it words are "
                     "learned from both sets, as the options below say"));
  table.add(whole_row("permutations", "N", permutations_, 1,
                      "how often what belongs to which set is drawn by chance, to compare with"));
  learning_.describe(table);
  gpu_.describe(table);
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void WordsCompare::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const RunContext context = session.context();
  std::vector<std::filesystem::path> paths = textures::images_in(a_);
  const std::size_t of_a = paths.size();
  for (auto& path : textures::images_in(b_)) paths.push_back(std::move(path));

  // Words of a model, or of both sets
  BrickPlace place{std::string{name()}, gpu_, session, invocation.console};
  PlacedRunner runner{place};
  const imageio::OpenOptions open = input_.open_options();
  const textures::TrainingSpec spec = learning_.drawn();
  textures::ReadModel known;
  if (model_.empty())
    known.model = textures::learn_words(paths, spec, open, runner, context);
  else
    known = textures::read_model(model_, context);
  textures::TextureModel& model = known.model;
  if (model_.empty() || learning_.spec.texture.patch)
    model.spec.patch = learning_.spec.texture.patch;

  const textures::Measured measured =
      textures::measure(paths, model.spec, model.dictionary, open, runner, context);
  for (const auto& image : measured.images)
    if (const auto warning = pitch_difference(model, image); !warning.empty())
      invocation.console.warn(warning);
  const auto made = textures::distances_of(measured, static_cast<std::int64_t>(of_a),
                                           model.spec.distance, context);
  const auto found = textures::compare_sets(made.distances, permutations_, spec.seed, context.stop);
  if (!found.by_images && measured.textures.size() > paths.size())
    invocation.console.warn(fmt::format(
        "words compare: a set has fewer than {} images, so patches are permuted one by one as if "
        "those of one image were independent; p is too small then",
        textures::kFewestImages));
  invocation.console.finish();
  print(model, found, made.distances, {of_a, paths.size() - of_a}, spec.seed, invocation.console);
}

void WordsCompare::print(const textures::TextureModel& model, const textures::SetComparison& found,
                         const textures::SetDistances& distances,
                         const std::vector<std::size_t>& images, std::uint64_t seed,
                         const Console& console) const {
  const std::int64_t of_b = distances.count() - distances.of_a;
  if (run_.json)
    return print_json(
        Json{{"a", {{"path", a_.string()}, {"images", images[0]}, {"textures", distances.of_a}}},
             {"b", {{"path", b_.string()}, {"images", images[1]}, {"textures", of_b}}},
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
  print_text(fmt::format(
      "A: {} textures of {} images, {}\nB: {} textures of {} images, {}\n"
      "mean distance within A {:.4f}, within B {:.4f}, between them {:.4f}\n"
      "energy distance {:.4f}, p = {:.4f}\n"
      "nearest other texture of the same set: {:.1f} %, by chance {:.1f} %, p = {:.4f}\n"
      "{} permutations of {}, seed {}\n",
      distances.of_a, images[0], a_.string(), of_b, images[1], b_.string(), found.within_a,
      found.within_b, found.between, found.energy, found.p_energy, 100 * found.accuracy,
      100 * found.accuracy_by_chance, found.p_accuracy, found.permutations,
      found.by_images ? "images" : "textures", seed));
}

}  // namespace

std::unique_ptr<Command> make_words_compare() {
  return std::make_unique<WordsCompare>();
}

}  // namespace synthoscope::tools
