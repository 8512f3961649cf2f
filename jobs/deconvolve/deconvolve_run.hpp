// SPDX-License-Identifier: MIT
// jobs/deconvolve/deconvolve_run.hpp — plans one deconvolution, carries it out and records it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include "core/stream/finite_source.hpp"
#include "core/stream/memory_stream.hpp"
#include "deconvolution/filters/psf_transfer.hpp"
#include "imageio/run/provenance.hpp"
#include "imageio/run/run_files.hpp"
#include "jobs/deconvolve/deconvolve_job.hpp"
#include "jobs/deconvolve/finished_result.hpp"
#include "jobs/deconvolve/scene_psf.hpp"
#include "jobs/light/checkpoint_file.hpp"
#include "jobs/light/iterations.hpp"
#include "jobs/light/light_search.hpp"
#include "jobs/output/job_listener.hpp"

namespace synthoscope::jobs {

struct OperatorCertificate;

/// Carries out a DeconvolveJob: plan() once, then make() once unless only a plan is wanted.
class DeconvolveRun {
 public:
  /// All arguments outlive this.
  /// @param files  the names of the job (name_files); names of opened files are added
  DeconvolveRun(const DeconvolveJob& job, imageio::RunFiles& files, Workspace& workspace)
      : job_{job},
        files_{files},
        workspace_{workspace},
        context_{workspace.context()},
        gpu_{job.gpu, workspace} {}

  /// Opens all files, reads the whole PSF, looks for a checkpoint, decides where the volumes lie
  /// and how the convolutions are done.
  /// @throws InvalidSpec, InvalidInput, IoError, PlanError, CudaError
  const IterationPlan& plan();

  /// Iterates, writes the part of the estimate that lies in the field, and records the run. If a
  /// run is stopped or fails, its last checkpoint stays.
  /// Does nothing if the result is finished.
  DeconvolveReport make(const JobListener& listener);

  /// Returns whether an earlier run of the same request finished the result, and this one resumes
  /// it. Known after plan(), which then has no plan.
  [[nodiscard]] bool is_finished() const { return finished_.has_value(); }

 private:
  [[nodiscard]] Stopwatch& watch() const { return workspace_.watch(); }
  /// Returns the camera's response. Without a camera, a grey level is an electron.
  [[nodiscard]] deconvolution::CameraResponse camera() const {
    return job_.camera.value_or(deconvolution::CameraResponse{});
  }

  // plan()
  void open_stacks();
  void find_psf();
  void require_new_result() const;
  void read_psf();
  void compute_psf();
  void find_background();
  void describe_result();
  void find_finished_result();
  void find_checkpoint();
  void make_filter();
  void decide();
  void decide_iterations();
  void follow_checkpoint();
  [[nodiscard]] bool finishes_without_gpu();
  [[nodiscard]] std::int64_t most_runs_of_steps() const;
  [[nodiscard]] bool place_on_gpus();
  [[nodiscard]] bool place_on_gpus(std::vector<deconvolution::GpuShare> gpus,
                                   const deconvolution::VolumesOnHost& on_host);
  void place_volumes(GpuInUse& gpu);
  void plan_search();
  [[nodiscard]] deconvolution::StepPlans plan_beside(const deconvolution::Geometry& geometry,
                                                     std::int64_t of_volumes, GpuInUse& gpu);
  [[nodiscard]] std::int64_t plane_bytes() const;
  [[nodiscard]] std::int64_t always_held(const deconvolution::Geometry& geometry) const;
  [[nodiscard]] std::int64_t estimate_count() const;
  [[nodiscard]] std::int64_t certify_filter_bytes(const fftconv::Problem& problem) const;
  [[nodiscard]] std::int64_t held_in_memory() const;

  // make()
  void keep_made_kernel(deconvolution::FilterKernel kernel);
  [[nodiscard]] bool uses_gpu() const;
  void read_image(const VolumePlace& place);
  void warn_of_voxels() const;
  [[nodiscard]] DeconvolveReport finished_report() const;
  [[nodiscard]] std::string checkpoint_request() const;
  [[nodiscard]] std::string whole_request() const;
  void find_light(fftconv::Executor& executor, const VolumePlace& place, Sink& sink,
                  DeconvolveReport& report);
  [[nodiscard]] Findings find_number(const LightModel& light);
  void filter_light(fftconv::Executor& executor, const VolumePlace& place, Sink& sink,
                    DeconvolveReport& report);
  void keep_certificate(const OperatorCertificate& found, DeconvolveReport& report) const;
  void write_field(Source& estimate, Sink& sink) const;
  void record(const DeconvolveReport& report, const JobListener& listener,
              const std::vector<imageio::InputRecord>& inputs) const;

  const DeconvolveJob& job_;
  imageio::RunFiles& files_;
  Workspace& workspace_;
  const RunContext& context_;
  GpuInUse gpu_;
  OpenedStack image_, kernel_file_;
  std::optional<ScratchVolume> psf_;  ///< its weights, none below 0
  ScenePsf scene_psf_;
  fftconv::Kernel kernel_;
  std::vector<deconvolution::WeightedPsf> depths_;  ///< in its place, if the PSF varies
  /// A back projector or a linear filter that was made from the PSF, and its voxels.
  std::optional<deconvolution::FilterKernel> made_kernel_;
  std::unique_ptr<MemorySource> made_voxels_;
  deconvolution::Geometry geometry_;
  std::optional<deconvolution::VariationSpec> variation_;
  Prepared prepared_;
  imageio::ImageSpec spec_;
  Reservation writer_memory_;
  std::optional<FinishedResult> finished_;    ///< by an earlier run
  std::optional<CheckpointFile> checkpoint_;  ///< of a job that has only files
  std::string asked_;                         ///< whole_request() of such a job
  std::optional<IterationState> earlier_;     ///< of the run that goes on
  IterationPlan plan_;
  std::unique_ptr<ScratchVolume> light_;  ///< the image, as RecordedLight makes it
};

}  // namespace synthoscope::jobs
