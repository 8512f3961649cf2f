// SPDX-License-Identifier: MIT
// What a deconvolution is made of: image, PSF, background, filter, result and checkpoint.
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "deconvolution/filters/back_projector.hpp"
#include "deconvolution/filters/noise_to_signal.hpp"
#include "deconvolution/filters/wiener.hpp"
#include "deconvolution/image/dark_level.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/new_output.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"
#include "jobs/light/operator_certificate.hpp"

namespace synthoscope::jobs {
namespace {

using deconvolution::RecordedLight;

}  // namespace

const IterationPlan& DeconvolveRun::plan() {
  open_stacks();
  find_psf();
  find_background();
  if (job_.method == Method::wiener) make_filter();
  describe_result();
  find_finished_result();
  if (job_.method != Method::wiener && !finished_) {
    find_checkpoint();
    decide();
  }
  watch().lap("plan");
  return plan_;
}

void DeconvolveRun::open_stacks() {
  imageio::OpenOptions opening = job_.opening;
  opening.digests = &files_.inputs().digests();
  image_ = open_stack(job_.image, opening, context_);
  if (!job_.optics) kernel_file_ = open_kernel(job_.kernel, opening, context_);
  join_files(files_, "image", job_.image, image_);
  if (!job_.optics) join_files(files_, "PSF", job_.kernel, kernel_file_);
  if (!job_.saving.resume) require_new_result();
  watch().lap("open files");
  variation_ =
      variation_of(job_.regularize, image_.file.info, kernel_file_.file.info, context_.log);
  imageio::warn_of_pitch_mismatch(image_.file.info, kernel_file_.file.info, context_.log);
}

void DeconvolveRun::require_new_result() const {
  if (!job_.plan.dry_run && !job_.sink)
    imageio::require_new_image(job_.output, job_.file.format, job_.file.overwrite);
}

/// Copies the PSF, without what lies below 0 or below its background.
void DeconvolveRun::read_psf() {
  FiniteSource weights{*kernel_file_.source, NonFinite::refuse, kernel_file_.name};
  const double background = fftconv::background_of(job_.psf.background, weights, context_.stop);
  psf_.emplace(weights.extent(), PixelType::float32, context_.memory, "the PSF");
  RecordedLight positive{{.offset = background}};
  carry("read PSF", weights, positive, *psf_, context_);
  prepared_.psf_negative = positive.unusable().negative;
  if (prepared_.psf_negative > 0 && background == 0)
    context_.log.warn(fmt::format("{} voxels of the PSF {} are negative and were replaced by 0",
                                  prepared_.psf_negative, kernel_file_.name));

  fftconv::KernelUse use = job_.psf;
  use.background = {};
  const auto& named = kernel_file_.file.info.kernel_center;
  if (!use.center && !named) use.center = fftconv::CenterRule::peak;
  const fftconv::ExaminedKernel psf =
      examine_kernel({kernel_file_.name, *psf_, named}, use, context_.stop, context_.log);
  kernel_ = psf.kernel;
  prepared_.psf_center = psf.center;
  prepared_.psf_sum = psf.summary.sum;
  geometry_ = {image_.file.info.extent, psf_->extent(), psf.center, job_.edge};
}

void DeconvolveRun::find_psf() {
  if (job_.optics)
    compute_psf();
  else
    read_psf();
  if (job_.method == Method::wb) {
    deconvolution::BackProjectorSpec spec;
    spec.alpha = job_.alpha;
    keep_made_kernel(
        deconvolution::make_back_projector(kernel_, prepared_.psf_center, spec, context_));
  }
  watch().lap("read PSF");
}

/// Computes the PSF of a scene for the planes of the image.
void DeconvolveRun::compute_psf() {
  scene_psf_ =
      make_scene_psf(*job_.optics, image_.file.info, job_.edge, job_.psf.normalization, context_);
  kernel_ = scene_psf_.psfs.front().kernel;
  if (!scene_psf_.is_same_everywhere()) {
    if (job_.method != Method::rl && job_.method != Method::shb)
      throw InvalidSpec(
          fmt::format("deconvolve --optics: the PSF of the scene varies with depth, and the method "
                      "{} takes one "
                      "PSF; give --method rl or shb",
                      name_in(kMethodNames, job_.method)));
    if (job_.certify.is_wanted())
      throw InvalidSpec(
          "deconvolve --certify: voxels are recomputed with one PSF, and the PSF of the scene "
          "varies with depth; leave --certify out");
    depths_ = scene_psf_.psfs;
  }
  prepared_.psf_center = scene_psf_.center;
  prepared_.psf_sum = scene_psf_.sum;
  prepared_.psfs = static_cast<std::int64_t>(scene_psf_.psfs.size());
  prepared_.psf_request = scene_psf_.request;
  geometry_ = {image_.file.info.extent, scene_psf_.extent, scene_psf_.center, job_.edge};
}

void DeconvolveRun::find_background() {
  using Kind = fftconv::BackgroundRule::Kind;
  const deconvolution::CameraResponse camera = this->camera();
  switch (job_.background.kind) {
    case Kind::none:
      prepared_.background = camera.offset;
      break;
    case Kind::given:
      prepared_.background = job_.background.value;
      break;
    case Kind::automatic:
      prepared_.background =
          std::max(deconvolution::dark_level(*image_.source, context_), camera.offset);
      context_.log.note(fmt::format("the background of {} is {:.4g}; --background gives another",
                                    image_.name, prepared_.background));
      break;
  }
  prepared_.light_beside = background_light(camera, prepared_.background);
  watch().lap("background");
}

void DeconvolveRun::keep_made_kernel(deconvolution::FilterKernel kernel) {
  made_kernel_.emplace(std::move(kernel));
  made_voxels_ = std::make_unique<MemorySource>(made_kernel_->source());
}

std::int64_t DeconvolveRun::certify_filter_bytes(const fftconv::Problem& problem) const {
  if (!job_.certify.is_wanted()) return 0;
  return fftconv::certify_bytes(problem, std::min(job_.certify.voxels, volume(geometry_.field)),
                                context_.pool.threads());
}

/// Makes the Wiener filter and the plan of its only pass.
void DeconvolveRun::make_filter() {
  prepared_.lambda = job_.lambda.value_or(0);
  if (!job_.lambda) {
    const auto choice =
        deconvolution::choose_lambda(*image_.source, kernel_, prepared_.psf_center, context_);
    prepared_.lambda = choice.lambda;
    const auto text = fmt::format("noise over signal of {} is {:.3g}; --lambda gives another",
                                  image_.name, choice.lambda);
    if (choice.is_at_end)
      context_.log.warn(text + ", and the image says little about it");
    else
      context_.log.note(text);
  }
  auto wiener =
      deconvolution::make_wiener(kernel_, prepared_.psf_center, prepared_.lambda, context_);
  fftconv::Problem problem = wiener_problem(geometry_.field, wiener);
  keep_made_kernel(std::move(wiener.kernel));
  problem.source_voxel_bytes = problem.sink_voxel_bytes = sizeof(float);
  if (!job_.sink) problem.order = imageio::order_of(job_.file.format, job_.file.compression);
  const std::int64_t of_field = volume(geometry_.field) * std::int64_t{sizeof(float)};
  const std::int64_t volumes = job_.certify.is_wanted() ? 2 : 1;  // image, and what is certified
  const auto plan_beside_image = [&](std::int64_t held) {
    return job_.plan.plan_on_this_machine(problem, workspace_, gpu_,
                                          imageio::file_of(job_.output).parent_path(),
                                          held + certify_filter_bytes(problem), plane_bytes());
  };
  try {
    plan_.filter = plan_beside_image(volumes * of_field);
  } catch (const PlanError&) {
    plan_.in_files = true;
    plan_.filter = plan_beside_image(0);
  }
  watch().lap("filter");
}

void DeconvolveRun::describe_result() {
  const imageio::ImageInfo& image = image_.file.info;
  if (job_.sink && job_.sink->extent() != image.extent)
    throw InvalidSpec(fmt::format("deconvolve: the image has {} voxels, but the result has {}",
                                  image.extent, job_.sink->extent()));
  spec_ = spec_like(image, image.extent, PixelType::float32, job_.file);
  if (job_.sink) return;
  spec_.format = imageio::format_of(job_.output, job_.file.format);
  spec_.pool = &context_.pool;
  spec_.stop = &context_.stop;
  spec_.provenance = request_of(job_, prepared_);
  writer_memory_ = imageio::reserve_writing(spec_, context_);
}

}  // namespace synthoscope::jobs
