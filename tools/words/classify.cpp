// SPDX-License-Identifier: MIT
// Finds the class of a model to which images are most similar.
#include <fmt/format.h>
#include "core/base/csv_cell.hpp"
#include "core/base/json.hpp"
#include "textures/answers/verdict.hpp"
#include "textures/models/model_file.hpp"
#include "tools/commands/commands.hpp"
#include "tools/learning/options.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using textures::Classified;
using textures::TextureModel;
using textures::Verdict;

class WordsClassify final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "words classify"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Finds the class of a model to which images are most similar. The class is that of the "
           "nearest texture of the model; the margin is how much farther away the next class is, 0 "
           "if it is as near.";
  }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override { files.add_input("model", model_); }
  void print(const TextureModel& model, const std::vector<Verdict>& verdicts,
             const Console& console) const;

  std::vector<std::filesystem::path> images_;
  std::filesystem::path classes_, model_;
  bool csv_ = false;
  InputOptions input_;
  GpuOptions gpu_;
  RunOptions run_;
};

void WordsClassify::describe(OptionTable& table) {
  table.add_argument(paths_row("IMAGE...", "", images_, "images, or folders of images"));
  table.group("Classes");
  table.add(required(path_row("model", "MODEL.h5", model_, "model that words train wrote")));
  table.add(path_row("classes", "DIR", classes_,
                     "instead of IMAGE: a folder with a folder of images for each class; also "
                     "print how many are classified correctly"));
  table.add(switch_row("csv", csv_, "print a table of comma-separated values"));
  gpu_.describe(table);
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void WordsClassify::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const RunContext context = session.context();
  const textures::ReadModel known = textures::read_model(model_, context);
  if (images_.empty() == classes_.empty())
    throw InvalidSpec(
        "words classify: give images or folders of them, or --classes DIR, one of the two");

  jobs::BrickPlace place{std::string{name()}, gpu_, session.workspace()};
  PlacedRunner runner{place};
  imageio::OpenOptions open = input_.open_options();
  open.limits.memory = &context.memory;
  textures::Verdicts verdicts;
  if (classes_.empty()) {
    const auto images = textures::images_in(images_);
    add_inputs("image", images);
    verdicts = textures::judge(known.model, images, open, runner, context);
  } else {
    const textures::ImageSet set = textures::classes_in(classes_);
    for (const auto& image : set.images) files_.add_input("image", image.path);
    files_.check();
    verdicts = textures::judge(known.model, set, open, runner, context);
  }
  files_.inputs().require_unchanged();
  invocation.console.finish();
  print(known.model, verdicts.images, invocation.console);
}

std::vector<std::vector<std::string>> table_of(const TextureModel& model,
                                               const std::vector<Verdict>& verdicts) {
  const auto class_name = [&](std::int64_t i) {
    return model.classes[static_cast<std::size_t>(i)];
  };
  const bool has_patches = std::any_of(verdicts.begin(), verdicts.end(),
                                       [](const Verdict& one) { return one.textures.size() > 1; });
  const bool is_known = verdicts.front().known.has_value();
  std::vector<std::vector<std::string>> rows{{"image"}};
  const auto add = [&](std::vector<std::string>& row, bool wanted, std::string cell) {
    if (wanted) row.push_back(std::move(cell));
  };
  add(rows[0], is_known, "known");
  for (const char* title : {"class", "distance", "margin", "next"}) rows[0].emplace_back(title);
  add(rows[0], has_patches, "patches");
  for (const Verdict& verdict : verdicts) {
    const Classified& best = verdict.best();
    std::vector<std::string> row{verdict.image};
    add(row, is_known, verdict.known.value_or(""));
    row.push_back(class_name(verdict.vote.of_class));
    row.push_back(fmt::format("{:.4f}", best.best().distance));
    row.push_back(fmt::format("{:.2f}", best.margin()));
    row.push_back(best.second() ? class_name(best.second()->of_class) : "");
    add(row, has_patches, fmt::format("{}/{}", verdict.vote.votes, verdict.textures.size()));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json nearest_json(const TextureModel& model, const textures::NearestOfClass& nearest) {
  const auto texture = static_cast<std::size_t>(nearest.texture);
  return {{"class", model.classes[static_cast<std::size_t>(nearest.of_class)]},
          {"distance", nearest.distance},
          {"nearest", model.images[static_cast<std::size_t>(model.textures[texture].image)]}};
}

/// How many patches are taken for each class.
Json votes_json(const TextureModel& model, const Verdict& verdict) {
  const auto votes = verdict.votes_by_class(model.classes.size());
  Json by_class = Json::object();
  for (std::size_t i = 0; i < votes.size(); ++i)
    if (votes[i] > 0) by_class[model.classes[i]] = votes[i];
  return by_class;
}

Json verdicts_json(const TextureModel& model, const std::vector<Verdict>& verdicts) {
  Json images = Json::array();
  for (const Verdict& verdict : verdicts) {
    const Classified& best = verdict.best();
    Json image{{"image", verdict.image}, {"known", verdict.known ? Json(*verdict.known) : Json()}};
    image.update(nearest_json(model, best.best()));
    image["margin"] = best.margin();
    image["next"] = best.second() ? nearest_json(model, *best.second()) : Json();
    image["patches"] = verdict.textures.size();
    image["votes"] = verdict.vote.votes;
    image["votes_by_class"] = votes_json(model, verdict);
    images.push_back(std::move(image));
  }
  return images;
}

void WordsClassify::print(const TextureModel& model, const std::vector<Verdict>& verdicts,
                          const Console& console) const {
  const textures::Share accuracy = accuracy_of(model, verdicts);
  if (run_.json) {
    Json object{{"images", verdicts_json(model, verdicts)},
                {"classes", model.classes},
                {"warnings", console.warnings()}};
    if (accuracy.all > 0)
      object["accuracy"] = {{"right", accuracy.right},
                            {"all", accuracy.all},
                            {"low", accuracy.low},
                            {"high", accuracy.high}};
    return print_json(object);
  }
  const auto rows = table_of(model, verdicts);
  if (!csv_) {
    print_text(columns_text(rows));
  } else {
    std::string lines;
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        lines += csv_cell(row[i]) + (i + 1 < row.size() ? "," : "\n");
    return print_text(lines);
  }
  if (accuracy.all > 0)
    print_text(
        fmt::format("\n{} of {} are classified correctly: {:.1f} %, Wilson's interval of 95 % "
                    "{:.1f} to {:.1f} %\n",
                    accuracy.right, accuracy.all,
                    100 * static_cast<double>(accuracy.right) / static_cast<double>(accuracy.all),
                    100 * accuracy.low, 100 * accuracy.high));
}

}  // namespace

std::unique_ptr<Command> make_words_classify() {
  return std::make_unique<WordsClassify>();
}

}  // namespace synthoscope::tools
