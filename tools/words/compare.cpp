// SPDX-License-Identifier: MIT
// Prints how far apart two sets of images are, and whether they can be distinguished.
#include "tools/commands/commands.hpp"
#include "tools/learning/comparison.hpp"
#include "tools/options/rows.hpp"

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
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("model", asked_.model);
  }

  WordsComparison asked_;
  RunOptions run_;
};

void WordsCompare::describe(OptionTable& table) {
  table.add_argument(required(path_row("A", "", asked_.a, "an image, or a folder of images")));
  table.add_argument(required(path_row("B", "", asked_.b, "image or folder to compare it with")));
  table.group("Test");
  table.add(path_row("model", "MODEL.h5", asked_.model,
                     "model with words and settings, as words train wrote it; without it, words "
                     "are learned from both sets, with the options below"));
  table.add(whole_row("permutations", "N", asked_.permutations, 1,
                      "number of random assignments of images to the two sets, to compare with"));
  asked_.learning.describe(table, [this] { return asked_.model.empty(); });
  asked_.gpu.describe(table);
  asked_.input.describe(table);
  run_.describe_for_one_stage(table);
}

void WordsCompare::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const textures::TwoSets sets = textures::two_sets(asked_.a, asked_.b);
  add_inputs("image", sets.images);
  const ComparedByWords found = compare_by_words(asked_, sets, std::string{name()}, session);
  files_.inputs().require_unchanged();
  invocation.console.finish();
  print_comparison(asked_, found, run_.json, invocation.console);
}

}  // namespace

std::unique_ptr<Command> make_words_compare() {
  return std::make_unique<WordsCompare>();
}

}  // namespace synthoscope::tools
