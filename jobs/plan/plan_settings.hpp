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

/// Returns whether the host would run `plans`, which are for the host, `times` times before a GPU
/// has started.
bool finish_before_gpu_starts(std::span<const fftconv::Plan> plans, std::int64_t times = 1);

/// Settings of the planning of a convolution.
struct PlanSettings {
  fftconv::Strategy strategy = fftconv::Strategy::automatic;
  std::int64_t parts = 0;  ///< number of frequency parts; 0: the planner chooses it
  /// The library of every plan's transforms; plans then have no direct sums. None: any library.
  std::optional<fftconv::FftLibrary> fft = {};
  std::filesystem::path file;     ///< a plan to run again, instead of a new one
  std::filesystem::path scratch;  ///< folder for intermediate data; empty: the output's
  bool dry_run = false;           ///< only plan

  /// Returns the folder for intermediate data of a run that writes `output`. @throws InvalidSpec
  /// the folder of --scratch is missing.
  [[nodiscard]] std::filesystem::path scratch_folder(const std::filesystem::path& output) const;

  /// Returns the plan in the file; none if no file is given.
  /// @throws InvalidSpec  its strategy is not the requested one.
  /// @throws what plan_from_json and reading a file throw.
  [[nodiscard]] std::optional<fftconv::Plan> given_plan() const;

  /// Returns the plan of the file, or a new one. @param stage_bytes  as for plan_convolution
  /// @throws what given_plan, require_for, require_fits and plan_convolution throw.
  [[nodiscard]] fftconv::Plan plan_for(const fftconv::Problem& problem,
                                       const fftconv::Machine& machine,
                                       std::int64_t stage_bytes = 0) const;

  /// Returns the plan for this machine, with `held` bytes already in use. Uses the recorded rates
  /// of the machine. If there are none and the run is predicted to take longer than 20 s, measures
  /// and records them first, which writes to `folder`; but not for a dry run or a given plan. Does
  /// not start an optional GPU that cannot be faster, and plans for the host alone if CUDA leaves
  /// too little of the host's memory.
  /// @param runs  how often the plan is run; CUDA is started once for all of them
  [[nodiscard]] fftconv::Plan plan_on_this_machine(const fftconv::Problem& problem,
                                                   Workspace& workspace, GpuInUse& in_use,
                                                   const std::filesystem::path& folder,
                                                   std::int64_t held, std::int64_t stage_bytes,
                                                   std::int64_t runs = 1) const;

 private:
  /// Measures the rates of the machine and of `device`, if it is not null, and records them.
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
