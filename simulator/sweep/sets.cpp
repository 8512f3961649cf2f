// SPDX-License-Identifier: MIT
#include "simulator/sweep/sets.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <functional>
#include "core/base/error.hpp"
#include "core/base/named_failure.hpp"
#include "core/run/labelled_run.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/run/rehearsal.hpp"
#include "simulator/sweep/folder.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// Returns the seed of the scene or of a resumed sweep, or one that is drawn and logged.
std::int64_t seed_for(const SceneSpec& scene, const fs::path& folder, bool resume, Log& log) {
  const auto begun = resume ? recorded_seed(folder / kSweepRecord) : std::nullopt;
  if (begun && scene.seed && *begun != *scene.seed)
    throw InvalidSpec(fmt::format(
        "resume sweep {}: it was begun with seed {}, and {} is given; leave the seed out, or "
        "choose another folder with -o",
        folder.string(), *begun, *scene.seed));
  if (!resume) return scene.seed ? *scene.seed : drawn_seed(log);
  const auto seed = seed_to_resume(scene.seed, folder / kSweepRecord, log);
  return seed ? *seed : drawn_seed(log);
}

/// Returns which sets are to be made. @throws InvalidSpec  a different set has the name of one.
std::vector<bool> sets_to_make(const std::vector<SweepSet>& sets,
                               const std::vector<std::vector<fftconv::Plan>>& plans,
                               const SimulateOptions& options, bool resume, SceneInputs& inputs,
                               const RunContext& context) {
  std::vector<bool> made(sets.size(), true);
  int blurred_otherwise = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto its = options_for(sets[i], options);
    const DataSetState state =
        data_set_state_of(sets[i].scene, its, plans[i], inputs, context.pool);
    if (state.kind == DataSetState::Kind::absent || (options.overwrite && !resume)) continue;
    if (state.kind == DataSetState::Kind::finished) {
      made[i] = false;
      blurred_otherwise += !state.is_blurred_alike;
    } else if (!options.overwrite) {
      refuse_other(fmt::format("resume sweep {}: {}", options.directory.string(), sets[i].folder),
                   state);
    }
  }
  if (blurred_otherwise > 0)
    context.log.note(
        fmt::format("{} of the existing data sets were blurred on another device or in other "
                    "pieces than the new ones will be, so they agree only within rounding; for "
                    "identical bytes give the same --gpus, --gpu-memory and --memory as then",
                    blurred_otherwise));
  return made;
}

/// Returns what `work` on a set returns; a failure names the set and keeps its type.
template <class Work>
auto naming(const SweepSet& set, Work work) {
  return naming_failures(fmt::format("sweep, data set {}", set.folder), work);
}

void add(SweepReport& all, const SimulationReport& one) {
  ++all.made;
  all.objects += one.objects;
  for (const ImagingReport& image : one.images)
    all.peak_memory_bytes = std::max(all.peak_memory_bytes, image.blur.peak_memory_bytes);
  for (const auto& [stage, seconds] : one.stages) add_stage(all.stages, stage, seconds);
}

/// Removes the partial folder that a run leaves if it is killed while it replaces an older set.
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

Stages rehearse_sweep(const std::vector<SweepSet>& sets, const fftconv::Machine& machine,
                      const RunContext& context, const SimulateOptions& options) {
  Stages all;
  std::string first;
  std::vector<std::string> others;
  for (const SweepSet& set : sets) try {
      context.stop.check();
      const LabelledRun of_set{context, set.folder};
      naming(set, [&] {
        for (const auto& [stage, seconds] : rehearse(set.scene, machine, of_set.context(), options))
          add_stage(all, stage, seconds);
      });
    } catch (const InvalidSpec& problem) {
      if (first.empty())
        first = problem.what();
      else
        others.push_back(set.folder);
    }
  if (!others.empty())
    first += fmt::format("; the same is true of {} of {} other data sets: {}", others.size(),
                         sets.size() - 1, fmt::join(others, ", "));
  if (!first.empty()) throw InvalidSpec(first);
  return all;
}

DecidedSweep decide_sweep(const SweepFolder& folder, const SceneSpec& scene, const SweepSpec& sweep,
                          const SimulateOptions& options, bool resume, SceneInputs& inputs,
                          const fftconv::Machine& machine, const RunContext& context) {
  DecidedSweep decided;
  decided.seed = seed_for(scene, options.directory, resume, context.log);
  decided.sets = sets_of(scene, sweep, static_cast<std::uint64_t>(decided.seed));
  decided.plans = plan_sweep(decided.sets, machine, context, options, inputs);
  decided.to_make = sets_to_make(decided.sets, decided.plans, options, resume, inputs, context);
  std::vector<std::string> folders;
  for (const auto& set : decided.sets) folders.push_back(set.folder);
  decided.left_out = folder.sets_missing_from(folders);
  if (!decided.left_out.empty() && !options.overwrite)
    throw InvalidSpec(
        fmt::format("resume sweep {}: it holds {}, which is no longer in [sweep]; add its values "
                    "again, choose another folder with -o or give --overwrite to remove it",
                    options.directory.string(), decided.left_out.front()));
  return decided;
}

bool is_whole(const DecidedSweep& decided, const SweepSpec& sweep, const SimulateOptions& options) {
  const auto holds = [&](const char* file, const std::string& text) {
    return text_in(options.directory / file) == text;
  };
  return std::none_of(decided.to_make.begin(), decided.to_make.end(), std::identity{}) &&
         decided.left_out.empty() &&
         holds(kSweepRecord, sweep_record(decided.seed, sweep, decided.sets)) &&
         holds(kSweepTableFile, sweep_table(sweep, decided.sets));
}

void begin_sweep(const SweepFolder& folder, const DecidedSweep& decided, const SweepSpec& sweep,
                 const SimulateOptions& options) {
  if (!is_whole(decided, sweep, options)) folder.remove_table();
  folder.remove_sets(decided.left_out);
  imageio::write_file_atomically(options.directory / kSweepRecord,
                                 sweep_record(decided.seed, sweep, decided.sets), true);
}

SimulateOptions options_for(const SweepSet& set, SimulateOptions options) {
  options.directory /= set.folder;
  return options;
}

void keep_set(const SweepSet& set, const SimulateOptions& options, SweepReport& report) {
  remove_partial(options_for(set, options).directory);
  ++report.kept;
}

void make_set(const DecidedSweep& decided, std::size_t i, const SimulateOptions& options,
              fftconv::Executor& blur, const RunContext& context, SweepReport& report) {
  const SweepSet& set = decided.sets[i];
  auto its = options_for(set, options);
  its.plans = decided.plans[i];
  LabelledProgress progress{context.progress, fmt::format("set {}/{}", i + 1, decided.sets.size())};
  add(report, naming(set, [&] {
        return simulate(set.scene, its, blur, with_progress(progress, context));
      }));
}

}  // namespace synthoscope::simulator
