// SPDX-License-Identifier: MIT
// Scores a result beside the truth.
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"
#include "score/pages/sweep_table.hpp"
#include "tools/commands/commands.hpp"
#include "tools/jobs/sweep_sets.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/score/request.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class ScoreCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "score"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Scores a result beside the truth. The result is a segmentation, tracks, spots or a "
           "restored image. The scores say how good it is, and where it fails: by size, depth, "
           "light and neighbours.";
  }
  ScoreCommand() { input_.without_choice = "all"; }
  void describe(OptionTable& table) override;

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    // A page must tell of the files that it shows; numbers that are printed may be of any moment
    for (const auto& [role, path] : {std::pair{"truth", &request_.truth},
                                     {"result", &request_.result},
                                     {"picture", &request_.picture}}) {
      if (output_.empty() && !path->empty()) files.add_reference(role, *path);
      if (!output_.empty()) files.add_input(role, *path);
    }
    if (!output_.empty()) files.add_output_file("page", output_);
  }
  void describe_labels(OptionTable& table);
  void describe_spots(OptionTable& table);
  void describe_images(OptionTable& table);
  void take_columns(std::string_view text);
  void require_lengths() const;
  [[nodiscard]] std::vector<ScoredPair> pairs_of_sweep(Log& log) const;
  [[nodiscard]] ScoreAnswer answer(std::vector<ScoredPair>& pairs, const RunContext& context) const;

  ScoreKind kind_ = ScoreKind::automatic;
  ScoreRequest request_;
  std::filesystem::path output_;
  bool overwrite_ = false;
  InputOptions input_;
  RunOptions run_;
};

void ScoreCommand::describe(OptionTable& table) {
  table.add_argument(required(path_row(
      "TRUTH", "", request_.truth,
      "folder of a data set or of a sweep; for labels and images also a file or a folder of them, "
      "for tracks a folder of the Cell Tracking Challenge")));
  table.add_argument(required(path_row(
      "RESULT", "", request_.result,
      "file, or folder with one for each frame of the truth, or with a file or folder for each "
      "data set of a sweep")));
  table.add(
      choice_row("kind", kind_, kScoreKindNames,
                 "what the result is; auto: a table is spots, a folder with a table of tracks "
                 "is tracks, real numbers that are no labels are an image, all else is "
                 "labels"));
  table.group("Result");
  table.add(lettered('o', path_row("output", "PAGE", output_,
                                   "page to write, such as score.html: every number with its "
                                   "definition, curves, and pictures of the worst objects")));
  table.add(switch_row("overwrite", overwrite_, "replace an older page"));
  describe_labels(table);
  describe_spots(table);
  describe_images(table);
  input_.describe(table);
  run_.describe_for_one_stage(table);
}

void ScoreCommand::describe_labels(OptionTable& table) {
  table.group("Labels");
  table.add(switch_row("ignore-border", request_.selection.ignore_border,
                       "leave out objects that touch the border of the image"));
  table.add(real_row("min-volume", "V", request_.selection.min_volume, "um3",
                     "leave out smaller objects; in um2 for images of one plane, in voxels where "
                     "files do not say how large voxels are"));
  table.add(switch_row("surfaces", request_.surfaces,
                       "measure how far the surfaces of each pair are apart: Hausdorff distance, "
                       "its 95th percentile, mean distance, boundary F"));
  table.add(real_row("tolerance-um", "UM", request_.tolerance_um, "um", "one pixel",
                     "distance up to which surfaces agree, for the boundary F"));
  table.add(path_row("picture", "FILE", request_.picture,
                     "image that was segmented, for the pictures of the page; that of a data set "
                     "is known"));
}

void ScoreCommand::describe_spots(OptionTable& table) {
  table.group("Spots");
  table.add(real_row("radius-um", "UM", request_.spots.radius_um, "um",
                     "distance up to which a result may stand for a true spot"));
  table.add({"columns", "z=..,y=..,x=..", "by their names", "",
             "columns of positions, and frame=.. and photons=.., of a table that is not of a known "
             "program",
             [this](std::string_view text) { take_columns(text); }});
  table.add({"unit", "px|um|nm", "as the table says", "", "unit of positions",
             [this](std::string_view text) {
               request_.columns.unit = named_in(score::kSpotUnitNames, text);
               if (!request_.columns.unit)
                 throw InvalidSpec(fmt::format("'{}' is no unit; write px, um or nm", text));
             }});
  table.add({"origin", "corner|middle", "as the table's program counts", "",
             "where positions are 0: in the corner or in the middle of the first voxel",
             [this](std::string_view text) {
               request_.columns.origin = named_in(score::kSpotOriginNames, text);
               if (!request_.columns.origin)
                 throw InvalidSpec(fmt::format("'{}' is no origin; write corner or middle", text));
             }});
  table.add(
      whole_row("bounds", "N", request_.spots.bounds, 0,
                "spots whose Cramer-Rao bound is computed for the efficiency; each takes some "
                "0.03 s, and more with a large PSF"));
}

void ScoreCommand::describe_images(OptionTable& table) {
  table.group("Images");
  table.add(choice_row("beside", request_.beside, score::kImageTruthNames,
                       "light of a data set that an image is compared with: photons after the "
                       "lens, or light before it, which output.light = true keeps"));
  table.add(choice_row("window", request_.window, score::kFourierWindowNames,
                       "what images are multiplied by before they are transformed: tukey weighs "
                       "down the outer eighth of each side"));
  table.add({"no-shells", "", "", "",
             "leave out the correlation of Fourier shells, whose transform takes 16 bytes a voxel",
             [this](std::string_view) { request_.shells = false; }});
}

/// "z=POSITION_Z,y=...": names of columns.
void ScoreCommand::take_columns(std::string_view text) {
  score::SpotTableOptions& columns = request_.columns;
  for (const std::string_view word : split_at_commas(text)) {
    const auto equals = word.find('=');
    const std::string_view what = word.substr(0, equals);
    std::string* const name = what == "z"         ? &columns.zyx[0]
                              : what == "y"       ? &columns.zyx[1]
                              : what == "x"       ? &columns.zyx[2]
                              : what == "frame"   ? &columns.frame
                              : what == "photons" ? &columns.photons
                                                  : nullptr;
    if (!name || equals == std::string_view::npos || equals + 1 == word.size())
      throw InvalidSpec(fmt::format(
          "'{}' names no column; write z=NAME,y=NAME,x=NAME, and frame=NAME or photons=NAME",
          word));
    *name = word.substr(equals + 1);
  }
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
      "the name of each data set, such as {}.tif or {}.csv",
      results.string(), set, set, set));
}

/// Pairs each data set of a sweep that was made with its result.
std::vector<ScoredPair> ScoreCommand::pairs_of_sweep(Log& log) const {
  std::vector<ScoredPair> pairs;
  const Json sweep = sweep_json(request_.truth);
  for (const Json& set : sweep.at("sets")) {
    const auto folder = set.at("folder").get<std::string>();
    if (!set.at("made").get<bool>()) {
      log.warn(fmt::format("the data set {} was not made and is left out", folder));
      continue;
    }
    Json values = Json::object();
    for (const Json& key : sweep.at("keys"))
      values[key.get<std::string>()] = set.at(key.get<std::string>());
    pairs.push_back({request_.truth / folder,
                     result_of(request_.result, folder),
                     {folder, std::move(values), {}}});
  }
  if (pairs.empty())
    throw InvalidSpec(
        fmt::format("score {}: none of its data sets was made; make them with "
                    "simulate --resume",
                    request_.truth.string()));
  return pairs;
}

/// Scores pairs one by one.
template <class Answer>
ScoreAnswer each_pair(const ScoreRequest& request, std::vector<ScoredPair>& pairs,
                      Answer&& answer) {
  ScoreAnswer last;
  for (ScoredPair& pair : pairs) {
    ScoreRequest one = request;
    one.truth = pair.truth;
    one.result = pair.result;
    last = answer(one);
    pair.set.scores = last.json;
  }
  if (pairs.size() == 1 && pairs.front().set.folder.empty()) return last;
  return {{{"kind", last.json.at("kind")}}, "", ""};  // the sets say it
}

ScoreAnswer ScoreCommand::answer(std::vector<ScoredPair>& pairs, const RunContext& context) const {
  const ScoreKind kind = kind_ != ScoreKind::automatic
                             ? kind_
                             : kind_of_result(pairs.front().result, request_.open, context);
  switch (kind) {
    case ScoreKind::tracks:
      return each_pair(request_, pairs,
                       [&](const auto& one) { return answer_tracks(one, context); });
    case ScoreKind::spots:
      return each_pair(request_, pairs,
                       [&](const auto& one) { return answer_spots(one, context); });
    case ScoreKind::image:
      return each_pair(request_, pairs,
                       [&](const auto& one) { return answer_image(one, context); });
    default:
      return answer_labels(request_, pairs, context);
  }
}

Json json_of_sets(const std::vector<score::SweptSet>& sets) {
  Json array = Json::array();
  for (const score::SweptSet& set : sets) {
    Json one{{"folder", set.folder}};
    one.update(set.values);
    one.update(set.scores);
    array.push_back(std::move(one));
  }
  return array;
}

void ScoreCommand::require_lengths() const {
  if (!(request_.selection.min_volume >= 0))
    throw InvalidSpec(
        fmt::format("score: --min-volume is {}; give 0 or more", request_.selection.min_volume));
  if (request_.tolerance_um && !(*request_.tolerance_um >= 0))
    throw InvalidSpec(
        fmt::format("score: --tolerance-um is {}; give 0 or more", *request_.tolerance_um));
}

void ScoreCommand::run(const Invocation& invocation) {
  require_lengths();
  if (!output_.empty()) require_new_output(output_, overwrite_);
  Session session{run_, invocation};
  const RunContext& context = session.context();
  request_.open = input_.open_options();
  request_.has_page = !output_.empty();
  const bool is_of_sweep = is_sweep(request_.truth);
  std::vector<ScoredPair> pairs =
      is_of_sweep ? pairs_of_sweep(context.log)
                  : std::vector{ScoredPair{request_.truth, request_.result, {}}};
  ScoreAnswer found = answer(pairs, context);

  std::vector<score::SweptSet> sets;
  if (is_of_sweep)
    for (ScoredPair& pair : pairs) sets.push_back(std::move(pair.set));
  const auto columns = score::sweep_columns(found.json.at("kind").get<std::string>());
  if (!output_.empty()) {
    const std::string title =
        fmt::format("{} beside {}", request_.result.string(), request_.truth.string());
    files_.inputs().require_unchanged();
    imageio::write_file_atomically(
        output_, score::score_page(title, sweep_section(sets, columns) + found.page), overwrite_);
  }
  invocation.console.finish();
  if (!run_.json)
    return print_text((sets.empty() ? "" : columns_text(sweep_rows(sets, columns, true)) + "\n") +
                      found.text);
  if (!sets.empty()) found.json["sets"] = json_of_sets(sets);
  found.json["warnings"] = invocation.console.warnings();
  print_json(found.json);
}

}  // namespace

std::unique_ptr<Command> make_score() {
  return std::make_unique<ScoreCommand>();
}

}  // namespace synthoscope::tools
