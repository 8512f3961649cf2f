// SPDX-License-Identifier: MIT
// jobs/machine/workspace.hpp — threads, memory and stopwatch of a job. What the process itself
// holds counts as memory of the job.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::jobs {

/// Threads, memory and stopwatch for one job. Memory that the process allocates while the job is
/// prepared counts as used.
class Workspace {
 public:
  /// @param program_bytes  returns the memory that the process holds now, counted buffers included;
  ///                       0: only those count
  /// @param watch          times the stages of the job
  Workspace(const RunContext& context, std::function<std::int64_t()> program_bytes,
            Stopwatch& watch)
      : context_{context}, program_bytes_{std::move(program_bytes)}, watch_{watch} {}

  [[nodiscard]] const RunContext& context() const { return context_; }
  [[nodiscard]] Stopwatch& watch() const { return watch_; }

  /// Returns the machine to plan for: its memory is the budget less all memory in use
  /// (count_growth) and less `held`, which a run uses in addition to the plan.
  [[nodiscard]] fftconv::Machine machine(const fftconv::MachineRates& rates, std::int64_t held = 0);

  /// Reserves the memory that the process has allocated outside of counted buffers since the start,
  /// such as tables of open files and memory of CUDA. Returns what is left of the budget.
  std::int64_t count_growth();

  /// Returns the number of such reservations.
  [[nodiscard]] std::size_t growth_reservations() const { return grown_.size(); }
  /// Passes them to a caller that keeps what was allocated.
  [[nodiscard]] std::vector<Reservation> take_growth() { return std::move(grown_); }
  /// Releases all of them after the first `kept`, with a warning: for a caller whose plan fits only
  /// without them.
  void release_growth_after(std::size_t kept);

 private:
  RunContext context_;
  std::function<std::int64_t()> program_bytes_;
  Stopwatch& watch_;
  std::vector<Reservation> grown_;
};

}  // namespace synthoscope::jobs
