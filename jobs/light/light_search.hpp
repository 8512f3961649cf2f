// SPDX-License-Identifier: MIT
// jobs/light/light_search.hpp — the iterations of a job, how many there are, and their
// checkpoints.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include "jobs/light/checkpoint_file.hpp"
#include "jobs/light/findings.hpp"
#include "jobs/light/iterations.hpp"

namespace synthoscope::jobs {

/// How the light of a job is found.
struct LightModel {
  deconvolution::Model model;
  Source& image;  ///< as RichardsonLucy takes it
  const IterationPlan& plan;
  IterationResources resources;
};

/// Where iterations are saved.
struct Saving {
  const CheckpointFile* file = nullptr;  ///< null: nowhere
  std::string request;                   ///< of their checkpoints
  double every_seconds = 0;
};

/// Finds light by iterations. The result does not depend on where a run was interrupted.
class LightSearch {
 public:
  /// All must outlive this. @param earlier  where an interrupted run had come to; null: nowhere
  LightSearch(const LightModel& light, const Saving& saving, const IterationState* earlier,
              const RunContext& context);
  ~LightSearch();

  /// Does the iterations that are left.
  /// @param number  of all, and how it was found; 0 if an interrupted run had found it
  /// @throws as Executor::run
  void iterate(const Findings& number);

  [[nodiscard]] const Findings& found() const { return found_; }
  /// Returns the light after iterate().
  [[nodiscard]] Source& light() { return iterations_->result(); }

 private:
  using Clock = std::chrono::steady_clock;
  class NumberedProgress;

  void begin();
  void save_if_due();

  const LightModel& light_;
  const Saving& saving_;
  const IterationState* earlier_;  ///< null once its volumes are read
  const RunContext& context_;
  Findings found_;
  std::unique_ptr<NumberedProgress> progress_;
  std::optional<RunContext> numbered_;
  std::unique_ptr<Iterations> iterations_;  ///< refers to the two above
  Clock::time_point saved_ = Clock::now();
};

}  // namespace synthoscope::jobs
