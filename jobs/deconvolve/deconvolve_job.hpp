// SPDX-License-Identifier: MIT
// jobs/deconvolve/deconvolve_job.hpp — the description of a deconvolution, and its report.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "deconvolution/image/recorded_light.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "fftconv/kernel/use.hpp"
#include "jobs/convolve/job_files.hpp"
#include "jobs/deconvolve/regularization.hpp"
#include "jobs/light/findings.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/output/certified_output.hpp"
#include "jobs/plan/plan_settings.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::jobs {

/// How light is found.
///   rl   the iteration of Richardson and Lucy: the likelihood grows in every step
///   shb  the same with momentum: needs some five times fewer iterations
///   wb   the same with another back projector (deconvolution/filters/back_projector.hpp): needs 1
///   to 3 wiener  one linear pass (deconvolution/filters/wiener.hpp)
enum class Method { rl, shb, wb, wiener };
inline constexpr NameTable<Method, 4> kMethodNames{
    {{Method::rl, "rl"}, {Method::shb, "shb"}, {Method::wb, "wb"}, {Method::wiener, "wiener"}}};

/// How often a long run saves its state, and whether it continues an earlier run.
struct SavingChoice {
  bool resume = false;
  double every_seconds = 300;  ///< between two checkpoints
};

/// A deconvolution of an image with a PSF.
struct DeconvolveJob {
  Stack image, kernel;
  /// In place of the kernel, which is then empty: its PSF may vary with depth (ScenePsf).
  std::optional<simulator::SceneSpec> optics;
  std::filesystem::path output;  ///< file to make; empty if `sink` is set, or for only a plan
  Sink* sink = nullptr;          ///< of the caller, for a result that is not a file
  Method method = Method::shb;
  std::optional<std::int64_t> iterations;  ///< none: default_iterations
  bool finds_iterations = false;           ///< as many as NumberSearch finds
  double alpha = 0.1;            ///< of wb: noise over signal, as BackProjectorSpec has it
  std::optional<double> lambda;  ///< of wiener: noise over signal; none: as the image says
  Regularization regularize;     ///< of rl and shb
  deconvolution::Edge edge = deconvolution::Edge::extend;
  /// Grey level of the image where the object is dark.
  fftconv::BackgroundRule background{fftconv::BackgroundRule::Kind::automatic};
  /// Without one, grey levels are counted as light.
  std::optional<deconvolution::CameraResponse> camera;
  /// `correlate` is not read. Unless the PSF is divided by its sum, light is counted in units of
  /// it.
  fftconv::KernelUse psf{fftconv::KernelNormalization::sum, {}, {}, false};
  imageio::OpenOptions opening;  ///< of the image; the limits hold for the PSF, too
  FileChoice file;
  PlanSettings plan;  ///< its file is not read
  GpuChoice gpu;
  SavingChoice saving;  ///< only if image, PSF and result are files
  /// Voxels of the convolutions that are recomputed; `by` and `gpu` are not read.
  CertifyChoice certify;

  /// Returns whether image, PSF and result are files.
  [[nodiscard]] bool has_only_files() const { return image.is_file() && kernel.is_file() && !sink; }
};

/// @throws InvalidSpec  the number of iterations or of seconds cannot be meant, or iterations are
/// to
///                      be chosen without a camera.
void require_meant(const DeconvolveJob& job);

/// Returns the number of iterations where none is given.
int default_iterations(Method method);

/// Returns the number of iterations; nothing if it is to be found.
std::optional<std::int64_t> wanted_iterations(const DeconvolveJob& job);

/// Returns the most iterations that are tried where their number is not given.
int most_iterations(Method method);

/// Returns the path of the checkpoint of a job that makes a file.
std::filesystem::path checkpoint_path(const std::filesystem::path& output);

/// Adds the names of all files that the job reads or makes.
void name_files(const DeconvolveJob& job, imageio::RunFiles& files);

/// What was found out about image and PSF before the first iteration.
struct Prepared {
  double background = 0;  ///< grey level
  deconvolution::UnusableVoxels unusable;
  double light_beside = 0;        ///< of background, dark current and reading
  double psf_sum = 0;             ///< of its weights
  std::int64_t psf_negative = 0;  ///< weights that were taken as 0
  Index3 psf_center;
  std::int64_t psfs = 1;         ///< that are interpolated between
  std::string psf_request = {};  ///< of PSFs that were computed; JSON
  double lambda = 0;             ///< of the Wiener filter
};

/// Returns what determines the voxels of a result, apart from the files, as a JSON object.
std::string request_of(const DeconvolveJob& job, const Prepared& prepared);

/// The result of a job.
struct DeconvolveReport {
  Extent3 extent;
  Prepared prepared = {};
  Findings found = {};
  std::string search_end = {};  ///< of the function of this name
  double seconds = 0;           ///< of the iterations of this run
  std::int64_t peak_memory_bytes = 0;
  std::string certificate = {};  ///< OperatorCertificate::json; empty: none was asked for
  bool was_finished = false;     ///< by an earlier run of the same request: nothing was done
  bool in_files = false;         ///< the volumes were in scratch files
  bool on_device = false;        ///< all were in the memory of a GPU
};

}  // namespace synthoscope::jobs
