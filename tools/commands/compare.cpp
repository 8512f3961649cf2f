// SPDX-License-Identifier: MIT
// Measures how alike real and synthetic images are.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "score/likeness/compare_images.hpp"
#include "score/likeness/likeness_json.hpp"
#include "score/likeness/likeness_page.hpp"
#include "score/likeness/likeness_table.hpp"
#include "score/pages/sweep_table.hpp"
#include "textures/images/image_set.hpp"
#include "tools/commands/commands.hpp"
#include "tools/learning/comparison.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

enum class ComparedBy { statistics, words };
constexpr NameTable<ComparedBy, 2> kComparedByNames{
    {{ComparedBy::statistics, "statistics"}, {ComparedBy::words, "words"}}};
constexpr std::size_t kPrintedEffects = 10;

class CompareCommand final : public Command {
 public:
  CompareCommand() {
    words_.input.without_choice = "all";
    words_.learning.when = "with --features words, without --model";
    words_.learning.without_patch = "32,32";
  }
  [[nodiscard]] std::string_view name() const override { return "compare"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Measures how alike real and synthetic images are. Small patches of both are described "
           "by statistics that have names, and two classifiers learn to tell them apart. Their "
           "success stands beside a null: synthetic images that are taken as if they were real. "
           "Prints distances between the sets, and what gives the synthetic images away.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override;
  void describe_sets(OptionTable& table);
  void describe_statistics(OptionTable& table);
  void describe_words(OptionTable& table);
  void take_plane(std::string_view text);
  [[nodiscard]] bool is_by_words() const { return by_ == ComparedBy::words; }
  [[nodiscard]] std::vector<std::filesystem::path> places(
      const std::filesystem::path& first, const std::vector<std::filesystem::path>& more) const;
  [[nodiscard]] score::CompareRequest request() const;
  void run_words(Session& session, const Invocation& invocation);
  void print(const score::ComparedImages& compared, const Console& console) const;

  ComparedBy by_ = ComparedBy::statistics;
  std::vector<std::filesystem::path> more_real_, more_synthetic_, labels_real_, labels_synthetic_;
  textures::PatchSpec patch_;
  std::optional<std::int64_t> plane_;
  std::int64_t null_draws_ = textures::LikenessSpec{}.null_draws;
  std::filesystem::path output_;
  bool overwrite_ = false;
  WordsComparison words_;  ///< and the options that both ways share
  RunOptions run_;
};

void CompareCommand::name_files(imageio::RunFiles& files) const {
  files.add_input("model", words_.model);
  const auto add = [&](const std::string& role, const std::filesystem::path& path) {
    // A page must tell of the files that it shows; numbers that are printed may be of any moment
    if (output_.empty())
      files.add_reference(role, path);
    else
      files.add_input(role, path);
  };
  add("real images", words_.a);
  add("synthetic images", words_.b);
  for (const auto& [role, paths] : {std::pair{"real images", &more_real_},
                                    {"synthetic images", &more_synthetic_},
                                    {"labels of real images", &labels_real_},
                                    {"labels of synthetic images", &labels_synthetic_}})
    for (const auto& path : *paths) add(role, path);
  if (!output_.empty()) files.add_output_file("page", output_);
}

void CompareCommand::describe(OptionTable& table) {
  table.add_argument(
      required(path_row("REAL", "", words_.a, "an image, or a folder of images of the same kind")));
  table.add_argument(required(path_row("SYNTHETIC", "", words_.b,
                                       "the images to compare with: a data set, a folder of data "
                                       "sets, a sweep, an image or a folder of images; 20 or more "
                                       "images, of different seeds")));
  describe_sets(table);
  table.group("Result");
  table.add(lettered('o', path_row("output", "PAGE", output_,
                                   "page to write, such as compare.html: every number with its "
                                   "definition, patches of both sets side by side, distributions "
                                   "of what gives the synthetic images away")));
  table.add(switch_row("overwrite", overwrite_, "replace an older page"));
  table.group("Test");
  table.add(choice_row("features", by_, kComparedByNames,
                       "what patches are compared by: statistics with names, or counts of visual "
                       "words, as words compare does"));
  table.add(whole_row("permutations", "N", words_.permutations, 1,
                      "number of random assignments of images to the two sets, to compare with"));
  describe_statistics(table);
  describe_words(table);
  words_.input.describe(table);
  run_.describe_for_one_stage(table);
}

void CompareCommand::describe_sets(OptionTable& table) {
  table.group("Images");
  table.add(paths_row("more-real", "FILE", more_real_, "more real images"));
  table.add(paths_row("more-synthetic", "FILE", more_synthetic_,
                      "more synthetic images, data sets or sweeps"));
  table.add(paths_row("labels-real", "FILE", labels_real_,
                      "labels of the objects of the real images, one image for each, in the same "
                      "order; without labels of both sets, objects are what is brighter than "
                      "Otsu's threshold"));
  table.add(paths_row("labels-synthetic", "FILE", labels_synthetic_,
                      "the same of the synthetic images; those of data sets are known"));
}

void CompareCommand::describe_statistics(OptionTable& table) {
  const auto add = [&](Option row) {
    table.add(only(
        "with --features statistics", [this] { return !is_by_words(); }, std::move(row)));
  };
  add(choice_row("where", patch_.where, textures::kPatchPlaceNames,
                 "patches to compare: those inside objects, those at their edges, or all"));
  add({"plane", "sharpest|N", "sharpest", "", "plane of each stack to take patches of",
       [this](std::string_view text) { take_plane(text); }});
  add(whole_row("null", "N", null_draws_, 1,
                "most synthetic images that are taken as if they were real; 19 or more for a "
                "verdict"));
}

void CompareCommand::describe_words(OptionTable& table) {
  table.add(only(
      "with --features words", [this] { return is_by_words(); },
      path_row("model", "MODEL.h5", words_.model,
               "model with words and settings, as words train wrote it; without it, "
               "words are learned from both sets")));
  words_.learning.describe(table, [this] { return is_by_words() && words_.model.empty(); });
  words_.gpu.describe(table);
}

void CompareCommand::take_plane(std::string_view text) {
  plane_.reset();
  if (text != "sharpest") plane_ = parse_whole(text, 0);
}

std::vector<std::filesystem::path> CompareCommand::places(
    const std::filesystem::path& first, const std::vector<std::filesystem::path>& more) const {
  std::vector<std::filesystem::path> all{first};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

score::CompareRequest CompareCommand::request() const {
  score::CompareRequest request;
  request.real = {places(words_.a, more_real_), labels_real_};
  request.synthetic = {places(words_.b, more_synthetic_), labels_synthetic_};
  request.settings.measure = {patch_, plane_};
  if (const auto& side = words_.learning.spec.texture.patch) {
    if (side->z > 1 || side->y != side->x)
      throw InvalidSpec(fmt::format("compare: --patch is {},{}; patches are square, such as 32,32",
                                    side->y, side->x));
    request.settings.measure.patch.side = side->x;
  }
  // The seed changes little: without one, results are the same again
  request.settings.likeness.seed = static_cast<std::uint64_t>(words_.learning.seed.value_or(0));
  request.settings.likeness.permutations = words_.permutations;
  request.settings.likeness.null_draws = null_draws_;
  request.open = words_.input.open_options();
  return request;
}

void CompareCommand::run_words(Session& session, const Invocation& invocation) {
  if (!output_.empty())
    throw InvalidSpec(
        "compare: --output writes a page of statistics; leave it out, or --features words");
  textures::TwoSets sets{textures::images_in(places(words_.a, more_real_)), 0};
  sets.of_a = std::ssize(sets.images);
  for (auto& path : textures::images_in(places(words_.b, more_synthetic_)))
    sets.images.push_back(std::move(path));
  const ComparedByWords found = compare_by_words(words_, sets, std::string{name()}, session);
  invocation.console.finish();
  print_comparison(words_, found, run_.json, invocation.console);
}

void CompareCommand::run(const Invocation& invocation) {
  if (!output_.empty()) require_new_output(output_, overwrite_);
  Session session{run_, invocation};
  if (is_by_words()) return run_words(session, invocation);
  const score::ComparedImages compared = score::compare_images(request(), session.context());
  if (!output_.empty()) {
    const std::string title = fmt::format("{} beside {}", words_.b.string(), words_.a.string());
    files_.inputs().require_unchanged();
    imageio::write_file_atomically(
        output_, score::score_page(title, score::likeness_sections(compared)), overwrite_);
  }
  invocation.console.finish();
  print(compared, invocation.console);
}

void CompareCommand::print(const score::ComparedImages& compared, const Console& console) const {
  if (run_.json) {
    Json json = score::json_of(compared);
    json["warnings"] = console.warnings();
    return print_json(json);
  }
  const auto effects = score::effect_rows(compared, kPrintedEffects);
  print_text(fmt::format(
      "{}\n{}\n{}\n{}\n\n{}", columns_text(score::compared_rows(compared)),
      columns_text(score::measure_rows(compared, false)),
      score::energy_sentence(compared.likeness.test), score::verdict_of(compared),
      effects.size() > 1 ? columns_text(effects) : "No statistic lies outside its null.\n"));
}

}  // namespace

std::unique_ptr<Command> make_compare() {
  return std::make_unique<CompareCommand>();
}

}  // namespace synthoscope::tools
