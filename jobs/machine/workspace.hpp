// SPDX-License-Identifier: MIT
// jobs/machine/workspace.hpp — threads and memory of a job, and what the process itself takes of
// it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::jobs {

/// Threads and memory for one job. Memory that the process takes while the job is prepared counts
/// as used.
class Workspace {
 public:
  /// @param program_bytes  what the process holds now, with all counted buffers; 0: not counted
  Workspace(const RunContext& context, std::function<std::int64_t()> program_bytes)
      : context_{context}, program_bytes_{std::move(program_bytes)} {}

  [[nodiscard]] const RunContext& context() const { return context_; }

  /// Returns the memory that can be planned with now: the budget less all that is in use
  /// (count_growth), and less `held`, which a run will hold in addition to the plan.
  [[nodiscard]] fftconv::Machine machine(const fftconv::MachineRates& rates, std::int64_t held = 0);

  /// Takes what has become resident since the start into use, such as tables of the files that are
  /// open, or what CUDA holds; gives what is left.
  std::int64_t count_growth();

  /// Returns how often growth was reserved, and releases all reservations after the first `kept`,
  /// with a warning: for a caller that plans without them because nothing fits otherwise.
  [[nodiscard]] std::size_t growth_reservations() const { return grown_.size(); }
  void release_growth_after(std::size_t kept);

 private:
  RunContext context_;
  std::function<std::int64_t()> program_bytes_;
  std::vector<Reservation> grown_;
};

}  // namespace synthoscope::jobs
