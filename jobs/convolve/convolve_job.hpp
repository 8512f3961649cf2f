// SPDX-License-Identifier: MIT
// jobs/convolve/convolve_job.hpp — the description of a convolution, and its report.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/volume/shard.hpp"
#include "fftconv/executor.hpp"
#include "fftconv/kernel/image_convolution.hpp"
#include "fftconv/team.hpp"
#include "jobs/convolve/job_files.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/output/certified_output.hpp"
#include "jobs/output/job_listener.hpp"
#include "jobs/output/resumable_output.hpp"
#include "jobs/plan/plan_settings.hpp"

namespace synthoscope::jobs {

/// A convolution of an image with a kernel.
struct ConvolveJob {
  Stack image, kernel;
  std::filesystem::path output;  ///< file to make; empty if `sink` is set, or for only a plan
  Sink* sink = nullptr;          ///< of the caller, for a result that is not a file
  fftconv::ImageConvolution asked;
  imageio::OpenOptions opening;  ///< how the image is opened; the limits hold for the kernel, too
  FileChoice file;
  PlanSettings plan;
  GpuChoice gpu;
  ResumeChoice resume;  ///< only if image, kernel and result are files
  CertifyChoice certify;
  std::optional<Shard> shard;
};

/// @throws InvalidSpec  the result cannot be certified.
void require_certifiable(const ConvolveJob& job);

/// Adds the names of all files that the job reads or makes.
void name_files(const ConvolveJob& job, imageio::RunFiles& files);

/// Returns everything that can change a bit of the file, as a JSON object, which must be the same
/// when a run is resumed. Image, kernel and result are files.
std::string request_of(const ConvolveJob& job, const imageio::ImageInfo& image,
                       const imageio::ImageInfo& kernel_file, const fftconv::ExaminedKernel& kernel,
                       std::string_view instruction_set);

/// Returns the number of steps that shards divide among them: the steps of the plan; for frequency
/// parts that a team exchanges, one step for each member.
std::int64_t shared_steps(const fftconv::Plan& plan, const fftconv::Team* team);

/// Voxels that a run counted, including the earlier run that it resumes.
struct ConvolveCounts {
  std::int64_t clipped = 0, non_finite = 0;
  bool met_non_finite = false;  ///< in the image
};

/// Returns the counts as the text that a journal stores.
std::string counts_text(const ConvolveCounts& counts);
/// Returns the counts in such a text; all are zero if it is empty.
/// @throws InvalidInput  `text` was not made by counts_text.
ConvolveCounts counts_from(const std::string& text);

/// The result of a job.
struct ConvolveReport {
  Extent3 extent;
  PixelType type = PixelType::float32;
  fftconv::Strategy strategy = fftconv::Strategy::automatic;
  fftconv::RunReport ran = {};
  std::int64_t clipped = 0;
  Certificates certified = {};
  bool is_complete = false;                ///< the result is whole, and this run recorded it
  std::vector<std::int64_t> missing = {};  ///< shards that are not done
};

}  // namespace synthoscope::jobs
