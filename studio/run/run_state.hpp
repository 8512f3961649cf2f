// SPDX-License-Identifier: MIT
// studio/run/run_state.hpp — how far a run of the program has come, as it prints it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/base/names.hpp"
#include "studio/run/child.hpp"

namespace synthoscope::studio {

enum class RunPhase { none, running, done, stopped, failed };
inline constexpr NameTable<RunPhase, 5> kRunPhaseNames{{{RunPhase::none, "none"},
                                                        {RunPhase::running, "running"},
                                                        {RunPhase::done, "done"},
                                                        {RunPhase::stopped, "stopped"},
                                                        {RunPhase::failed, "failed"}}};

/// What a run makes.
enum class RunKind { data_set, report };
inline constexpr NameTable<RunKind, 2> kRunKindNames{
    {{RunKind::data_set, "data_set"}, {RunKind::report, "report"}}};

struct RunState {
  std::int64_t id = 0;  ///< 0: nothing was run yet
  RunKind kind = RunKind::data_set;
  RunPhase phase = RunPhase::none;
  std::string stage = {};                  ///< "blur"
  std::int64_t done = 0, total = 0;        ///< units of the stage; total 0: not known
  double seconds = 0;                      ///< since the run began
  std::string output = {};                 ///< folder of the data set, in the folder of the program
  std::vector<std::string> sets = {};      ///< folders in it, of a sweep
  std::int64_t sets_done = 0;              ///< of the sweep
  std::string page = {};                   ///< of a report: its file in the folder of the program
  std::string error = {};                  ///< sentence of a failure
  std::vector<std::string> warnings = {};  ///< in the order in which they came
};

/// Takes a line that the program prints with --progress json: progress, a warning or an error, also
/// an error about its options, which is plain text. Others are ignored.
void take_line(RunState& state, std::string_view line);

/// Decides how a run ended. @param is_stopped  the user has asked for it
void take_end(RunState& state, const ChildEnd& end, bool is_stopped);

/// Returns {"type": "run", "id", "kind", "state", "stage", "done", "total", "seconds", "output",
/// "sets": {"done", "total", "folders"} or null, "page" or null, "error" or null, "warnings"}.
/// While it runs, there are no folders and no warnings yet, which may be many.
Json json_of(const RunState& state);

/// Divides text that comes in pieces into lines. The longest line that is kept has 64 KiB.
class Lines {
 public:
  /// Adds a piece. Returns the lines that are whole now, without their ends.
  std::vector<std::string> take(std::string_view piece);

 private:
  std::string rest_;
};

}  // namespace synthoscope::studio
