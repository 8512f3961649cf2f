// SPDX-License-Identifier: MIT
// Says what there is of what several processes make, and does the last step where all is there.
#include "simulator/finalize.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/shared_image.hpp"
#include "jobs/output/shared_output.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/share/data_set_record.hpp"
#include "simulator/share/scene_share.hpp"
#include "simulator/sweep/folder.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

namespace fs = std::filesystem;

/// What was found, and what it is made of: "shards", "data sets", "folders".
struct Found {
  std::string_view kind, parts;
  simulator::Finalized done;
  bool is_told = false;  ///< by the command that did the last step
};

class Finalize final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "finalize"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Joins the results of several processes. It lists the shards, data sets or frames that "
           "are missing. If none is missing but the last step was not done, it does that step: a "
           "file that --shard wrote gets its name, a sweep its table, and frames become one data "
           "set.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(required(path_row(
        "OUT", "", output_,
        "file or folder that processes with --shard write, or a folder to make from --parts")));
    table.group("Result");
    table.add(paths_row("parts", "DIR...", parts_,
                        "join these data sets, which simulate --frames made from one scene"));
    table.add(switch_row("overwrite", overwrite_, "replace an older data set"));
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    if (parts_.empty()) return files.add_continued(output_);
    files.add_input("part", parts_);
    files.add_output_folder("data set", output_);
  }
  [[nodiscard]] Found find(const Invocation& invocation, const RunContext& context) const;
  [[nodiscard]] Found finalize_image(const Invocation& invocation) const;
  void print(const Found& found) const;

  fs::path output_;
  std::vector<fs::path> parts_;
  bool overwrite_ = false;
  RunOptions run_;
};

/// Returns the words of a command with this shard, and with the result that is requested now.
std::vector<std::string> words_of_shard(std::vector<std::string> words, const Shard& shard,
                                        bool json) {
  words.erase(std::remove(words.begin(), words.end(), "--json"), words.end());
  if (json) words.emplace_back("--json");
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].starts_with("--shard=")) {
      words[i] = "--shard=" + name_of(shard);
    } else if (words[i] == "--shard" && i + 1 < words.size()) {
      words[i + 1] = name_of(shard);
    }
  return words;
}

/// The last step needs everything that the command knows: the command of a finished shard does it
/// and prints its result.
void give_command_again(const imageio::SharedRun& run, bool json, const Invocation& invocation) {
  const Json command = parse_json(run.command);
  const auto folder = command.at("folder").get<std::string>();
  if (fs::current_path() != folder)
    throw InvalidSpec(fmt::format(
        "finalize: all shards are done, but file names are relative to {}; run the command there",
        folder));
  const auto typed = command.at("words").get<std::vector<std::string>>();
  if (std::find(typed.begin(), typed.end(), "--mpi") != typed.end())
    throw InvalidSpec(
        fmt::format("finalize: all {} ranks are done, and the first still has to do the last step; "
                    "run the command with mpirun again",
                    run.shares));
  const auto words = words_of_shard(typed, {1, run.shares}, json);
  const auto convolve = make_convolve();
  convolve->execute(std::span{words}.subspan(2),
                    {invocation.console, invocation.clock, invocation.stop, words});
}

Found Finalize::finalize_image(const Invocation& invocation) const {
  Found found{"image", "shards", {}, false};
  std::optional<imageio::SharedRun> run;
  {
    const imageio::SharedFileLock lock{output_};
    run = lock.begun();
    if (!run)
      throw InvalidInput(fmt::format("finalize {}: the work of its shards was removed; start over",
                                     output_.string()));
    found.done.parts = run->shares;
    for (const std::int64_t number : jobs::missing_shares(output_, *run))
      found.done.missing.push_back(name_of(Shard{number, run->shares}));
  }
  if (found.done.missing.empty()) {
    give_command_again(*run, run_.json, invocation);
    found.is_told = true;
  }
  return found;
}

Found Finalize::find(const Invocation& invocation, const RunContext& context) const {
  if (!parts_.empty())
    return {"data set", "folders",
            simulator::join_folders(output_, overwrite_, parts_, context, &files_.inputs()), false};
  if (fs::exists(output_ / simulator::kSweepRecord))
    return {"sweep", "data sets", simulator::finalize_sweep(output_), false};
  if (fs::exists(simulator::path_with_ending(output_, simulator::kShardsEnding)))
    return {"data set", "shards", simulator::finalize_frames(output_, overwrite_, context), false};
  if (fs::exists(imageio::shares_path(output_))) return finalize_image(invocation);
  if (fs::exists(imageio::journal_path(output_)))
    throw InvalidInput(fmt::format(
        "finalize {}: only one process was writing it; the same command with --resume continues",
        output_.string()));
  if (!fs::exists(imageio::file_of(output_)))
    throw InvalidInput(
        fmt::format("finalize {}: there is no such file or folder, finished or unfinished; give "
                    "the name that -o had together with --shard, or give --parts",
                    output_.string()));
  if (fs::is_directory(output_))
    if (const auto problem = simulator::problem_of_data_set(output_, simulator::FileCheck::content);
        !problem.empty())
      throw InvalidInput(
          fmt::format("finalize {}: {}; simulate it again", output_.string(), problem));
  return {fs::is_directory(output_) ? "data set" : "image", "parts", {1, {}, true}, false};
}

void Finalize::print(const Found& found) const {
  if (found.is_told) return;
  const auto& [parts, missing, was_whole] = found.done;
  if (run_.json)
    return print_json({{"output", output_.string()},
                       {"kind", found.kind},
                       {"parts", parts},
                       {"missing", missing},
                       {"whole", missing.empty()},
                       {"was_whole", was_whole}});
  if (was_whole) return print_summary(fmt::format("{}: complete; nothing to do", output_.string()));
  if (missing.empty())
    print_summary(fmt::format("{}: joined from {} {}", output_.string(), parts, found.parts));
}

void Finalize::run(const Invocation& invocation) {
  Session session{run_, invocation};
  const Found found = find(invocation, session.context());
  invocation.console.finish();
  print(found);
  const auto& missing = found.done.missing;
  if (!missing.empty())
    throw InvalidInput(fmt::format("finalize {}: {} of {} {} are missing: {}; make them first",
                                   output_.string(), missing.size(), found.done.parts, found.parts,
                                   fmt::join(missing, ", ")));
}

}  // namespace

std::unique_ptr<Command> make_finalize() {
  return std::make_unique<Finalize>();
}

}  // namespace synthoscope::tools
