// SPDX-License-Identifier: MIT
// simulator/sweep/sets.hpp — the steps of making a sweep: decide all, begin its folder, make a set.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "simulator/scene/file/inputs.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/sweep/folder.hpp"
#include "simulator/sweep/run.hpp"

namespace synthoscope::simulator {

/// All that is decided about a sweep before anything of it is written.
struct DecidedSweep {
  std::int64_t seed = 0;
  std::vector<SweepSet> sets;
  std::vector<std::vector<fftconv::Plan>> plans;  ///< of each set
  std::vector<bool> to_make;          ///< of each set: it does not exist, or is not whole
  std::vector<std::string> left_out;  ///< sets of an earlier sweep, to be removed
};

/// @throws as simulate_sweep.
DecidedSweep decide_sweep(const SweepFolder& folder, const SceneSpec& scene, const SweepSpec& sweep,
                          const SimulateOptions& options, bool resume, SceneInputs& inputs,
                          const fftconv::Machine& machine, const RunContext& context);

/// Returns whether all sets and tables of the sweep exist, and no sets of an earlier one.
bool is_whole(const DecidedSweep& decided, const SweepSpec& sweep, const SimulateOptions& options);

/// Writes what determines the sweep and removes sets that are left out. The table does not exist
/// until the sweep is whole.
void begin_sweep(const SweepFolder& folder, const DecidedSweep& decided, const SweepSpec& sweep,
                 const SimulateOptions& options);

/// Returns the options of one set.
SimulateOptions options_for(const SweepSet& set, SimulateOptions options);

/// Keeps a whole set; removes what a run left that was killed while it replaced an older one.
void keep_set(const SweepSet& set, const SimulateOptions& options, SweepReport& report);

/// Makes set `i` and adds it to the report. @throws as simulate, naming the set
void make_set(const DecidedSweep& decided, std::size_t i, const SimulateOptions& options,
              fftconv::Executor& blur, const RunContext& context, SweepReport& report);

}  // namespace synthoscope::simulator
