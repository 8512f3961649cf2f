// SPDX-License-Identifier: MIT
#include "simulator/sweep/run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/sweep/folder.hpp"
#include "simulator/sweep/sets.hpp"

namespace synthoscope::simulator {

SweepReport simulate_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                           const SimulateOptions& options, bool resume, fftconv::Executor& blur,
                           const RunContext& context) {
  SweepReport report;
  Stopwatch watch{report.stages};

  PsfMemory psfs;
  SimulateOptions shared = options;
  shared.psfs = &psfs;

  // Decide everything before anything is written
  const SweepFolder folder{options.directory, resume, options.overwrite};
  SceneInputs inputs{context.stop, &context.log};
  const DecidedSweep decided =
      decide_sweep(folder, scene, sweep, options, resume, inputs, blur.machine(), context);
  report.seed = decided.seed;
  for (const auto& set : decided.sets) report.folders.push_back(set.folder);
  folder.remove_shards();
  begin_sweep(folder, decided, sweep, options);
  watch.lap("plan");

  const auto all = static_cast<std::int64_t>(decided.sets.size());
  const std::int64_t kept = std::count(decided.to_make.begin(), decided.to_make.end(), false);
  for (std::size_t i = 0; i < decided.sets.size(); ++i) try {
      if (decided.to_make[i])
        make_set(decided, i, shared, blur, context, report);
      else
        keep_set(decided.sets[i], options, report);
    } catch (const Interrupted&) {
      throw Interrupted(fmt::format(
          "the sweep was stopped when {} of {} data sets were complete; resume with --resume",
          report.made + kept, all));
    }

  // Write the table of all sets, now that all exist
  imageio::write_file_atomically(options.directory / kSweepTableFile,
                                 sweep_table(sweep, decided.sets), true);
  report.seconds = watch.total();
  return report;
}

}  // namespace synthoscope::simulator
