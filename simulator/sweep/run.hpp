// SPDX-License-Identifier: MIT
// simulator/sweep/run.hpp — makes the data sets of a sweep, and resumes one that was stopped.
#pragma once
#include <string>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::simulator {

/// What a sweep did.
struct SweepReport {
  std::int64_t seed = 0;             ///< that the seeds of all sets follow from
  std::vector<std::string> folders;  ///< of all sets
  std::int64_t made = 0, kept = 0;   ///< number of sets; kept ones were whole already
  std::int64_t objects = 0;          ///< placed in the sets that were made
  double seconds = 0;
  Stages stages;                       ///< of all sets that were made, added up
  std::int64_t peak_memory_bytes = 0;  ///< the largest of their blurs
  std::vector<std::string> missing;    ///< sets that other shards have not made yet
};

/// Plans every set, in the order of sets_of; writes nothing, but checks all files that the sets
/// would read.
/// @throws InvalidSpec, InvalidInput, IoError, PlanError  as simulate, naming the set.
std::vector<std::vector<fftconv::Plan>> plan_sweep(const std::vector<SweepSet>& sets,
                                                   const fftconv::Machine& machine,
                                                   const RunContext& context,
                                                   const SimulateOptions& options,
                                                   SceneInputs& inputs);

/// Rehearses every set (run/rehearsal.hpp) and returns the seconds of all.
/// @throws InvalidSpec  the objects of a set cannot be placed; names all such sets, and says of the
///                      first how many objects fit.
Stages rehearse_sweep(const std::vector<SweepSet>& sets, const fftconv::Machine& machine,
                      const RunContext& context, const SimulateOptions& options);

/// Makes every data set of a sweep in its own folder in `options.directory`:
///
///     sweep.json  first: seed, keys, and the folder, seed and values of every set
///     FOLDER/     one data set each, as simulate makes it; appears when it is whole
///     sweep.csv   last: the folder, seed, repeat and values of every set, a line each
///
/// All sets are checked and planned before anything is written. With `resume`, sets that are whole
/// are kept and the others made: an uninterrupted run would make the same files, and a drawn seed
/// is read from sweep.json. sweep.csv does not exist while anything is being made. With
/// `overwrite`, sets that an earlier sweep.json names and this sweep does not are removed.
/// @throws as simulate; also InvalidSpec if `directory` exists and neither `resume` nor `overwrite`
///         is set, if it is no folder of a sweep, if it was begun with another seed, or if a set in
///         it differs or is no longer in the sweep and `overwrite` is not set; also IoError if
///         another run is writing the same sweep. Failures of a set name it.
SweepReport simulate_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                           const SimulateOptions& options, bool resume, fftconv::Executor& blur,
                           const RunContext& context);

}  // namespace synthoscope::simulator
