// SPDX-License-Identifier: MIT
// jobs/convolve/convolve_run.hpp — plans one convolution, carries it out and records it.
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

/// Carries out a ConvolveJob: plan() once, then make() once unless only a plan is wanted.
class ConvolveRun {
 public:
  /// All arguments outlive this.
  /// @param files  the names of the job (name_files); names of opened files are added
  /// @param team   the ranks of an MPI job; its first rank finishes the file. Null: there is none
  ConvolveRun(const ConvolveJob& job, imageio::RunFiles& files, Workspace& workspace,
              fftconv::Team* team = nullptr)
      : job_{job},
        files_{files},
        workspace_{workspace},
        context_{workspace.context()},
        team_{team},
        gpu_{job.gpu, workspace} {}

  /// Opens all files, reads the whole kernel, looks for an unfinished result, decides on a plan and
  /// reserves the memory of the writers. May create the partial file of the result, or take the
  /// lock of a shared one. Measures the disk in the output folder before the first long run on a
  /// machine.
  /// @throws InvalidSpec, InvalidInput, IoError, PlanError, CudaError
  const fftconv::Plan& plan();

  /// Carries out the plan and records the result. With a shard, makes only its steps; the last
  /// shard also finishes the file. @throws as Executor::run, ResumableOutput, SharedOutput and
  /// certify_and_rename
  ConvolveReport make(const JobListener& listener);

 private:
  struct Pipeline;

  [[nodiscard]] Stopwatch& watch() const { return workspace_.watch(); }
  void find_earlier_run();
  void require_shardable() const;
  void find_certifier();
  void examine_stacks();
  void require_same_request() const;
  void decide();
  void begin_file();
  [[nodiscard]] std::string instruction_set(const fftconv::Plan& plan) const;
  [[nodiscard]] std::string request(const fftconv::Plan& plan) const;
  [[nodiscard]] fftconv::Plan plan_with_writers(const fftconv::Problem& problem,
                                                const PlanSettings& choice);
  [[nodiscard]] fftconv::Plan plan_with(const fftconv::Problem& problem, const PlanSettings& choice,
                                        std::int64_t buffer_bytes);
  [[nodiscard]] fftconv::Plan plan_for_shards(const fftconv::Problem& problem);

  fftconv::RunReport convolve(Pipeline& pipeline, Sink& sink, Checkpoint* checkpoint);
  void check_non_finite(const Pipeline& pipeline) const;
  void record(const ConvolveReport& report, const JobListener& listener,
              const std::vector<imageio::InputRecord>& inputs, const std::string& asked,
              bool was_whole) const;
  [[nodiscard]] ConvolveReport report_of(const fftconv::RunReport& ran, std::int64_t clipped) const;
  void warn_of_clipping(const ConvolveReport& report) const;
  ConvolveReport make_array();
  ConvolveReport make_file(const JobListener& listener);
  ConvolveReport make_shard(const JobListener& listener);

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
  Reservation writer_memory_;
  std::unique_ptr<fftconv::Executor> executor_;
  CertifyChoice certify_{job_.certify};  ///< with the GPU that certifies
};

}  // namespace synthoscope::jobs
