// SPDX-License-Identifier: MIT
#include "simulator/sweep_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include "core/json.hpp"
#include "core/version.hpp"
#include "imageio/atomic_file.hpp"
#include "simulator/data_set_folder.hpp"
#include "simulator/set_standing.hpp"
#include "simulator/sweep_folder.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// The seed of the scene, of a sweep that was begun, or one that is drawn and told.
std::int64_t seed_for(const SceneSpec& scene, const fs::path& folder, bool resume, Log& log) {
  const auto begun = resume ? recorded_seed(folder / kSweepRecord) : std::nullopt;
  if (begun && scene.seed && *begun != *scene.seed)
    throw InvalidSpec(fmt::format(
        "go on with sweep {}: it was begun with seed {}, and {} is given; leave the seed out, or "
        "choose another folder with -o",
        folder.string(), *begun, *scene.seed));
  if (!resume) return scene.seed ? *scene.seed : drawn_seed(log);
  const auto seed = seed_to_go_on_with(scene.seed, folder / kSweepRecord, log);
  return seed ? *seed : drawn_seed(log);
}

std::string record_of(std::int64_t seed, const SweepSpec& sweep,
                      const std::vector<SweepSet>& sets) {
  Json record{{"program", "synthoscope"}, {"version", kVersion}, {"seed", seed}};
  record["seeds"] = name_in(kSweepSeedsNames, sweep.seeds);
  record["repeats"] = sweep.repeats.value_or(1);
  Json keys = Json::array(), rows = Json::array();
  for (const auto& axis : sweep.axes) keys.push_back(axis.key);
  record["keys"] = keys;
  for (const auto& set : sets) {
    Json row{{"folder", set.folder}, {"seed", *set.scene.seed}, {"repeat", set.repeat}};
    for (std::size_t i = 0; i < set.texts.size(); ++i)
      row[sweep.axes[i].key] = parse_json(set.texts[i]);  // TOML as JSON writes it
    rows.push_back(row);
  }
  record["sets"] = rows;
  return indented_text_of(record) + "\n";
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return quoted + "\"";
}

std::string table_of(const SweepSpec& sweep, const std::vector<SweepSet>& sets) {
  std::string csv = "folder,seed,repeat";
  for (const auto& axis : sweep.axes) csv += fmt::format(",{}", axis.key);
  for (const auto& set : sets) {
    csv += fmt::format("\n{},{},{}", set.folder, *set.scene.seed, set.repeat);
    for (const auto& text : set.texts) {
      const bool is_string = text.size() > 1 && text.front() == '"';
      csv += fmt::format(",{}", csv_cell(is_string ? parse_json(text).get<std::string>() : text));
    }
  }
  csv += '\n';
  return csv;
}

SimulateOptions options_for(const SweepSet& set, SimulateOptions options) {
  options.directory /= set.folder;
  return options;
}

/// Which sets are to be made. @throws InvalidSpec  one is there that is another.
std::vector<bool> to_be_made(const std::vector<SweepSet>& sets,
                             const std::vector<std::vector<fftconv::Plan>>& plans,
                             const SimulateOptions& options, bool resume, SceneInputs& inputs,
                             const RunContext& context) {
  std::vector<bool> made(sets.size(), true);
  int blurred_otherwise = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto its = options_for(sets[i], options);
    const SetStanding standing = standing_of(sets[i].scene, its, plans[i], inputs, context.pool);
    if (standing.kind == SetStanding::Kind::absent || (options.overwrite && !resume)) continue;
    if (standing.kind == SetStanding::Kind::finished) {
      made[i] = false;
      blurred_otherwise += !standing.is_blurred_alike;
    } else if (!options.overwrite) {
      refuse_other(
          fmt::format("go on with sweep {}: {}", options.directory.string(), sets[i].folder),
          standing);
    }
  }
  if (blurred_otherwise > 0)
    context.log.note(fmt::format(
        "{} of the sets that are kept were blurred at another place or in other pieces "
        "than the others will be, which agrees within rounding; for the same bytes give "
        "the --gpus, --gpu-memory and --memory of then",
        blurred_otherwise));
  return made;
}

/// What `work` on a set returns; a failure names the set and stays of its kind.
template <class Work>
auto naming(const SweepSet& set, Work work) {
  const auto named = [&](const Error& problem) {
    return fmt::format("sweep, data set {}: {}", set.folder, problem.what());
  };
  try {
    return work();
  } catch (const InvalidSpec& problem) {
    throw InvalidSpec(named(problem));
  } catch (const InvalidInput& problem) {
    throw InvalidInput(named(problem));
  } catch (const IoError& problem) {
    throw IoError(named(problem));
  } catch (const PlanError& problem) {
    throw PlanError(named(problem));
  } catch (const OutOfDeviceMemory& problem) {
    throw OutOfDeviceMemory(named(problem));
  } catch (const CudaError& problem) {
    throw CudaError(named(problem));
  }
}

void add(SweepReport& all, const SimulationReport& one) {
  ++all.made;
  all.objects += one.objects;
  for (const ImagingReport& image : one.images)
    all.peak_memory_bytes = std::max(all.peak_memory_bytes, image.blur.peak_memory_bytes);
  for (const auto& [stage, seconds] : one.stages) add_stage(all.stages, stage, seconds);
}

/// A run that was killed while it replaced an older set can have left it behind.
void remove_partial(const fs::path& folder) {
  std::error_code failure;
  if (fs::exists(fs::symlink_status(folder.string() + ".partial", failure)))
    const DataSetFolder emptied{folder, true, may_be_simulated};
}

}  // namespace

std::vector<std::vector<fftconv::Plan>> plan_sweep(const std::vector<SweepSet>& sets,
                                                   const fftconv::Machine& machine,
                                                   const RunContext& context,
                                                   const SimulateOptions& options,
                                                   SceneInputs& inputs) {
  std::vector<std::vector<fftconv::Plan>> plans;
  for (const auto& set : sets) {
    context.stop.check();
    plans.push_back(
        naming(set, [&] { return plan_simulation(set.scene, machine, context, options, inputs); }));
  }
  return plans;
}

SweepReport simulate_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                           const SimulateOptions& options, bool resume, fftconv::Executor& blur,
                           const RunContext& context) {
  SweepReport report;
  Stopwatch watch{report.stages};

  // Decide all, before anything is written
  const SweepFolder folder{options.directory, resume, options.overwrite};
  report.seed = seed_for(scene, options.directory, resume, context.log);
  const auto sets = sets_of(scene, sweep, static_cast<std::uint64_t>(report.seed));
  SceneInputs inputs{context.stop};
  const auto plans = plan_sweep(sets, blur.machine(), context, options, inputs);
  const auto made = to_be_made(sets, plans, options, resume, inputs, context);
  for (const auto& set : sets) report.folders.push_back(set.folder);
  const auto left_out = folder.left_out_of(report.folders);
  if (!left_out.empty() && !options.overwrite)
    throw InvalidSpec(fmt::format(
        "go on with sweep {}: it holds {}, which [sweep] leaves out now; give its values again, "
        "choose another folder with -o or give --overwrite to remove it",
        options.directory.string(), left_out.front()));

  // Write what determines the sweep; where the table is, all is
  const std::string record = record_of(report.seed, sweep, sets), table = table_of(sweep, sets);
  const bool is_whole = std::none_of(made.begin(), made.end(), std::identity{}) &&
                        left_out.empty() && text_in(options.directory / kSweepRecord) == record &&
                        text_in(options.directory / kSweepTableFile) == table;
  if (!is_whole) folder.remove_table();
  folder.remove_sets(left_out);
  imageio::write_file_atomically(options.directory / kSweepRecord, record, true);
  watch.lap("plan");

  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto its = options_for(sets[i], options);
    if (!made[i]) {
      remove_partial(its.directory);
      ++report.kept;
      continue;
    }
    ProgressOfPart progress{context.progress, fmt::format("set {}/{}", i + 1, sets.size())};
    its.plans = plans[i];
    try {
      const auto done = naming(sets[i], [&] {
        return simulate(sets[i].scene, its, blur, listened_by(progress, context));
      });
      add(report, done);
    } catch (const Interrupted&) {
      throw Interrupted(fmt::format(
          "the sweep was asked to stop when {} of {} data sets were whole; go on with --resume",
          report.made + std::count(made.begin(), made.end(), false), sets.size()));
    }
  }

  // Say what lies where, now that all lies there
  imageio::write_file_atomically(options.directory / kSweepTableFile, table, true);
  report.seconds = watch.total();
  return report;
}

}  // namespace synthoscope::simulator
