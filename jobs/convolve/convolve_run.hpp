// SPDX-License-Identifier: MIT
// jobs/convolve/convolve_run.hpp — one convolution: looked at, planned, made and recorded.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include "core/stream/finite_source.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/plan.hpp"
#include "imageio/run/journal.hpp"
#include "imageio/run/provenance.hpp"
#include "jobs/convolve/convolve_job.hpp"
#include "jobs/output/shared_output.hpp"

namespace synthoscope::jobs {

class ConvolveRun {
 public:
  /// All references outlive this.
  /// @param files  has the names of the job; what is opened joins them
  /// @param team   of whom the first does what is left when all have made their share; may be null
  ConvolveRun(const ConvolveJob& job, imageio::RunFiles& files, Workspace& workspace,
              fftconv::Team* team = nullptr)
      : job_{job},
        files_{files},
        workspace_{workspace},
        context_{workspace.context()},
        team_{team},
        gpu_{job.gpu, context_.log} {}

  /// Looks at all files, at all of the kernel and at what an earlier run left; then decides how to
  /// do it, and takes the memory of writers. Nothing is written. Called once.
  /// @throws InvalidSpec, InvalidInput, IoError, PlanError, CudaError
  const fftconv::Plan& plan();

  /// Carries out the plan and records the result; or one shard, and what is left where it is the
  /// last. @throws as Executor::run, ResumableOutput, SharedOutput and certify_and_rename
  ConvolveReport make(const ConvolveListener& listener);

 private:
  struct Work;

  void find_earlier_run();
  void require_shardable() const;
  void examine_stacks();
  void require_same_request() const;
  void decide();
  [[nodiscard]] std::string instruction_set(fftconv::Place where) const;
  [[nodiscard]] std::string request(fftconv::Place where) const;
  [[nodiscard]] fftconv::Plan plan_beside(const fftconv::Problem& problem,
                                          const PlanChoice& choice);
  [[nodiscard]] fftconv::Plan plan_with(const fftconv::Problem& problem, const PlanChoice& choice,
                                        std::int64_t buffer_bytes);
  [[nodiscard]] fftconv::Plan plan_for_shards(const fftconv::Problem& problem);

  fftconv::RunReport convolve(Work& work, Sink& sink, Checkpoint* checkpoint);
  void judge(const Work& work) const;
  void record(const ConvolveReport& report, const ConvolveListener& listener,
              const std::vector<imageio::InputRecord>& inputs, const std::string& asked,
              bool was_whole) const;
  [[nodiscard]] ConvolveReport report_of(const fftconv::RunReport& ran, std::int64_t clipped) const;
  void warn_of_clipping(const ConvolveReport& report) const;
  ConvolveReport make_array();
  ConvolveReport make_file(const ConvolveListener& listener);
  ConvolveReport make_shard(const ConvolveListener& listener);

  const ConvolveJob& job_;
  imageio::RunFiles& files_;
  Workspace& workspace_;
  const RunContext& context_;
  fftconv::Team* team_;
  mutable GpuInUse gpu_;
  std::optional<imageio::UnfinishedRun> unfinished_;
  std::optional<SharedOutput> shared_;
  OpenedStack image_, kernel_file_;
  std::optional<fftconv::ExaminedKernel> kernel_;
  imageio::ImageSpec spec_;
  std::optional<fftconv::Plan> plan_;
  Reservation strips_;
  std::unique_ptr<fftconv::Executor> executor_;
};

}  // namespace synthoscope::jobs
