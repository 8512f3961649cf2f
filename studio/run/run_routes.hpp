// SPDX-License-Identifier: MIT
// studio/run/run_routes.hpp — what the page asks about data sets: make one, stop it, its report.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "studio/run/made_files.hpp"
#include "studio/run/runner.hpp"
#include "studio/server/router.hpp"

namespace synthoscope::studio {

/// What requests about runs need. All outlive the router.
struct RunServices {
  std::filesystem::path folder;  ///< in which the program was started
  Runner& runner;
  MadeFiles& made;
  const fftconv::Executor& blur;  ///< runs are estimated for its machine
  const RunContext& context;
};

/// Adds
///
///     GET  /api/run       json_of(RunState) of the last run, and "folder"
///     POST /api/run {toml, name, output, format?, truth_layout?, seed?, overwrite?, resume?}
///                         saves the scene as `name` and makes its data set in the folder `output`,
///                         both in `folder`; returns the state
///     POST /api/stop {}   stops the run, and returns the state
///     POST /api/estimate {toml}
///                         estimate_json
///     POST /api/report {output, set?, overwrite?}
///                         makes the report of a data set that was made here, or of a set of a
///                         sweep, as OUTPUT-report.html or OUTPUT-SET-report.html; returns the
///                         state
///     GET  /data/NAME     such a report
///     GET  /data/OUTPUT/FILE, with up to three folders between: files of a data set
///
/// A run is refused with 409 if another one is at work, or if it would replace anything and
/// "overwrite" is not true: a file with another text, a folder, a page that was not made here. For
/// a data set the answer then has, beside "error", "free": {"name", "output"}, of which the one
/// that is taken is replaced by a free one.
void add_run_routes(Router& router, const RunServices& services);

}  // namespace synthoscope::studio
