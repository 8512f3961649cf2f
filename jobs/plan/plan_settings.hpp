// SPDX-License-Identifier: MIT
// jobs/plan/plan_settings.hpp — how a convolution is planned on this machine.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include "fftconv/plan.hpp"
#include "imageio/run/journal.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/machine/workspace.hpp"

namespace synthoscope::jobs {

/// Returns whether the host carries out `plans`, which are for it, `times` times before a GPU has
/// started.
bool finish_before_gpu_starts(std::span<const fftconv::Plan> plans, std::int64_t times = 1);

/// How a convolution is to be planned.
struct PlanSettings {
  fftconv::Strategy strategy = fftconv::Strategy::automatic;
  std::int64_t parts = 0;         ///< of strategy parts; 0: chosen
  std::filesystem::path file;     ///< a plan to run again
  std::filesystem::path scratch;  ///< folder for intermediate data; empty: the output's
  bool dry_run = false;           ///< nothing is run

  /// Where intermediate data of a run that writes `output` goes. @throws InvalidSpec  the folder of
  /// --scratch is missing.
  [[nodiscard]] std::filesystem::path scratch_folder(const std::filesystem::path& output) const;

  /// Returns the plan in the file; none if no file is given.
  /// @throws InvalidSpec  its strategy is not the requested one.
  /// @throws what plan_from_json and reading a file throw.
  [[nodiscard]] std::optional<fftconv::Plan> given_plan() const;

  /// The plan of the file, or a new one; `stage_bytes` as in plan_convolution.
  /// @throws what given_plan, require_for, require_fits and plan_convolution throw.
  [[nodiscard]] fftconv::Plan plan_for(const fftconv::Problem& problem,
                                       const fftconv::Machine& machine,
                                       std::int64_t stage_bytes = 0) const;

  /// The same with `held` bytes in use, for the recorded rates of this machine. If there is no
  /// record and the run is predicted to be long, rates are measured first, with the disk of
  /// `folder`, and recorded; not if a plan is given or nothing is run. An optional GPU is not
  /// looked for if it cannot be faster. If CUDA leaves too little of the host's memory for any
  /// plan, the host does alone what it can.
  [[nodiscard]] fftconv::Plan plan_on_this_machine(const fftconv::Problem& problem,
                                                   Workspace& workspace, GpuInUse& in_use,
                                                   const std::filesystem::path& folder,
                                                   std::int64_t held,
                                                   std::int64_t stage_bytes) const;

 private:
  /// Measures what is not remembered and keeps it.
  static void measure_and_record(Workspace& workspace, const cuda::DeviceInfo* device,
                                 const std::filesystem::path& folder);
};

/// Returns the plan of an unfinished run, checked against the memory that is available now.
/// @throws PlanError    it does not fit `machine`.
/// @throws InvalidSpec  `choice` names another one.
[[nodiscard]] fftconv::Plan plan_of_unfinished(const imageio::UnfinishedRun& unfinished,
                                               const std::filesystem::path& output,
                                               const PlanSettings& choice,
                                               const fftconv::Machine& machine);

}  // namespace synthoscope::jobs
