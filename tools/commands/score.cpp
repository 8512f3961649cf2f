// SPDX-License-Identifier: MIT
// Scores a result beside the truth.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "score/pages/label_json.hpp"
#include "score/pages/label_page.hpp"
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/score_text.hpp"
#include "tools/jobs/sweep_sets.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class ScoreCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "score"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Scores a result beside the truth. Of a segmentation it says how many objects were "
           "found, how well they agree, and where it fails: by size, depth, light and neighbours.";
  }
  ScoreCommand() { input_.without_choice = "all"; }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_reference("truth", truth_);
    files.add_reference("result", result_);
    if (!image_.empty()) files.add_reference("image", image_);
    if (!output_.empty()) files.add_output_file("page", output_);
  }
  [[nodiscard]] score::LabelTask task_of(const std::filesystem::path& truth,
                                         const std::filesystem::path& result,
                                         const RunContext& context) const;
  void add_sets(const RunContext& context);
  [[nodiscard]] Json json_of_sets(const score::LabelReport& report) const;

  std::filesystem::path truth_, result_, output_, image_;
  bool overwrite_ = false;
  score::Selection selection_;
  bool surfaces_ = false;
  std::optional<double> tolerance_;
  InputOptions input_;
  RunOptions run_;

  std::vector<score::LabelTask> tasks_;
  std::vector<score::SweptSet> sets_;  ///< of each task, if they are those of a sweep
};

void ScoreCommand::describe(OptionTable& table) {
  table.add_argument(
      required(path_row("TRUTH", "", truth_,
                        "folder of a data set or of a sweep, or file or folder of label images")));
  table.add_argument(required(
      path_row("RESULT", "", result_,
               "label image, or folder with one for each frame of the truth, or with a file "
               "or folder for each data set of a sweep")));
  table.group("Result");
  table.add(lettered(
      'o', path_row("output", "PAGE", output_,
                    "page to write, such as score.html: every number with its definition, curves, "
                    "and pictures of the worst objects")));
  table.add(switch_row("overwrite", overwrite_, "replace an older page"));
  table.add(path_row("picture", "FILE", image_,
                     "image that was segmented, for the pictures of the page; that of a data set "
                     "is known"));
  table.group("Objects");
  table.add(switch_row("ignore-border", selection_.ignore_border,
                       "leave out objects that touch the border of the image"));
  table.add(real_row("min-volume", "V", selection_.min_volume, "um3",
                     "leave out smaller objects; in um2 for images of one plane, in voxels where "
                     "files do not say how large voxels are"));
  table.add(switch_row("surfaces", surfaces_,
                       "measure how far the surfaces of each pair are apart: Hausdorff distance, "
                       "its 95th percentile, mean distance, boundary F"));
  table.add(real_row("tolerance-um", "UM", tolerance_, "um", "one pixel",
                     "distance up to which surfaces agree, for the boundary F"));
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

/// Returns the result of a data set of a sweep: a folder or a file that has its name.
std::filesystem::path result_of(const std::filesystem::path& results, const std::string& set) {
  std::error_code ignored;
  if (std::filesystem::exists(results / set, ignored)) return results / set;
  std::filesystem::path file;
  for (std::filesystem::directory_iterator at{results, ignored}, end; !ignored && at != end;
       at.increment(ignored))
    if (at->path().filename().string().starts_with(set + ".") &&
        (file.empty() || at->path() < file))
      file = at->path();
  if (!file.empty()) return file;
  throw InvalidSpec(fmt::format(
      "score {}: there is no result of the data set {}; give a folder with a file or a folder of "
      "the name of each data set, such as {}.tif",
      results.string(), set, set));
}

score::LabelTask ScoreCommand::task_of(const std::filesystem::path& truth,
                                       const std::filesystem::path& result,
                                       const RunContext& context) const {
  imageio::OpenOptions options = input_.open_options();
  options.labels = true;
  score::LabelTask task = score::task_with_truth(truth, options, context);
  task.results = score::result_frames(result, task.truth.count, options, context);
  if (!image_.empty())
    task.image = score::result_frames(image_, task.truth.count, input_.open_options(), context);
  return task;
}

/// Pairs each data set of a sweep that was made with its result.
void ScoreCommand::add_sets(const RunContext& context) {
  const Json sweep = sweep_json(truth_);
  for (const Json& set : sweep.at("sets")) {
    const auto folder = set.at("folder").get<std::string>();
    if (!set.at("made").get<bool>()) {
      context.log.warn(fmt::format("the data set {} was not made and is left out", folder));
      continue;
    }
    tasks_.push_back(task_of(truth_ / folder, result_of(result_, folder), context));
    tasks_.back().name = folder;
    Json values = Json::object();
    for (const Json& key : sweep.at("keys"))
      values[key.get<std::string>()] = set.at(key.get<std::string>());
    sets_.push_back({folder, std::move(values)});
  }
  if (tasks_.empty())
    throw InvalidSpec(
        fmt::format("score {}: none of its data sets was made; make them with "
                    "simulate --resume",
                    truth_.string()));
}

Json ScoreCommand::json_of_sets(const score::LabelReport& report) const {
  Json sets = Json::array();
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    Json set{{"folder", sets_[i].folder}};
    set.update(sets_[i].values);
    set["labels"] = json_of(report.of_tasks[i]);
    sets.push_back(std::move(set));
  }
  return sets;
}

void ScoreCommand::run(const Invocation& invocation) {
  if (!output_.empty()) require_new_output(output_, overwrite_);
  Session session{run_, invocation};
  const RunContext& context = session.context();
  if (is_sweep(truth_))
    add_sets(context);
  else
    tasks_.push_back(task_of(truth_, result_, context));
  const score::LabelReport report = score_labels(tasks_, selection_, context);
  std::optional<score::SurfaceScores> surfaces;
  if (surfaces_) surfaces = score_surfaces(tasks_, report, tolerance_, context);
  if (!output_.empty()) {
    const score::LabelPage page{fmt::format("{} beside {}", result_.string(), truth_.string()),
                                tasks_, report, surfaces, sets_};
    imageio::write_file_atomically(output_, html_of(page, context), overwrite_);
  }
  invocation.console.finish();
  if (!run_.json)
    return print_text((sets_.empty() ? "" : swept_scores_text(sweep_rows(sets_, report.of_tasks))) +
                      score_text(report, surfaces));
  Json object = json_of(report, surfaces);
  if (!sets_.empty()) object["sets"] = json_of_sets(report);
  object["warnings"] = invocation.console.warnings();
  print_json(object);
}

}  // namespace

std::unique_ptr<Command> make_score() {
  return std::make_unique<ScoreCommand>();
}

}  // namespace synthoscope::tools
