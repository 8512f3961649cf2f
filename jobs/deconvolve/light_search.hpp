// SPDX-License-Identifier: MIT
// jobs/deconvolve/light_search.hpp — the iterations of a job, how many there are, and their
// checkpoints.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include "jobs/deconvolve/checkpoint_file.hpp"
#include "jobs/deconvolve/deconvolve_job.hpp"
#include "jobs/deconvolve/iterations.hpp"

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

/// Finds light by iterations. Number and result do not depend on where a run was interrupted.
class LightSearch {
 public:
  /// All must outlive this. @param earlier  where an interrupted run had come to; null: nowhere
  LightSearch(const LightModel& light, const Saving& saving, const IterationState* earlier,
              const RunContext& context);
  ~LightSearch();

  /// Finds the number of iterations: divides the image in two independent halves, looks for the
  /// light of one of them, and stops where the likelihood of the other is largest. Then the light
  /// becomes too sharp for what is known of it. @param most  iterations that are tried
  /// @throws as Executor::run
  void find_number(int most);

  /// Does so many iterations, or as many as were found. @throws as Executor::run
  void iterate(std::optional<std::int64_t> number);

  [[nodiscard]] const Findings& found() const { return found_; }
  /// Returns the light after iterate().
  [[nodiscard]] Source& light() { return iterations_->result(); }

 private:
  using Clock = std::chrono::steady_clock;
  class NumberedProgress;

  void begin(const deconvolution::Model& model, const deconvolution::Recorded& recorded);
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
