// SPDX-License-Identifier: MIT
// What a deconvolution is made of, where its volumes lie, and how its convolutions are done.
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include "deconvolution/filters/back_projector.hpp"
#include "deconvolution/filters/noise_to_signal.hpp"
#include "deconvolution/filters/wiener.hpp"
#include "deconvolution/image/dark_level.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/new_output.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"
#include "jobs/deconvolve/operator_certificate.hpp"

namespace synthoscope::jobs {
namespace {

using deconvolution::RecordedLight;

double seconds_of(const deconvolution::StepPlans& plans) {
  double seconds = 0;
  for (const fftconv::Plan* const plan : {&plans.blur, &plans.adjoint})
    if (const fftconv::Candidate* const chosen = plan->chosen()) seconds += chosen->seconds;
  return seconds;
}

}  // namespace

const IterationPlan& DeconvolveRun::plan() {
  open_stacks();
  read_psf();
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
  kernel_file_ = open_kernel(job_.kernel, opening, context_);
  join_files(files_, "image", job_.image, image_);
  join_files(files_, "PSF", job_.kernel, kernel_file_);
  if (!job_.saving.resume) require_new_result();
  watch().lap("open files");
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
  if (job_.method == Method::wb) {
    deconvolution::BackProjectorSpec spec;
    spec.alpha = job_.alpha;
    keep_made_kernel(deconvolution::make_back_projector(kernel_, psf.center, spec, context_));
  }
  watch().lap("read PSF");
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
                                          held + certify_filter_bytes(problem), 0);
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

/// Iterations are done in the memory of a GPU where all of it fits, else between volumes of the
/// host; without a GPU where that is soon done.
void DeconvolveRun::decide() {
  plan_.has_momentum = job_.method == Method::shb;
  if (earlier_) return follow_checkpoint();
  if (gpu_.is_automatic() && finishes_without_gpu()) return;
  if (fits_device()) {
    plan_.device = *gpu_.device();
    plan_.steps.reset();
    plan_.in_files = false;
    return;
  }
  place_volumes(gpu_);
}

/// Plans for the host. Returns whether it is done before a GPU has started.
bool DeconvolveRun::finishes_without_gpu() {
  static const GpuChoice kNone{.gpus = "none", .memory_bytes = {}};
  GpuInUse none{kNone, workspace_};
  try {
    place_volumes(none);
  } catch (const PlanError&) {  // a GPU may need less memory of the host
    return false;
  }
  const std::vector<fftconv::Plan> steps{plan_.steps->blur, plan_.steps->adjoint};
  return finish_before_gpu_starts(steps,
                                  wanted_iterations(job_).value_or(most_iterations(job_.method)));
}

/// Returns whether there is a GPU whose memory holds all volumes. What is blurred there never
/// leaves it, and cannot be certified.
bool DeconvolveRun::fits_device() {
  const auto& asked = job_.plan;
  const bool is_free = asked.strategy == fftconv::Strategy::automatic && !asked.fft;
  if (!is_free || job_.edge == deconvolution::Edge::wrap || job_.finds_iterations ||
      job_.method == Method::wb || job_.certify.is_wanted() || !gpu_.device())
    return false;
  try {
    return resident_bytes(geometry_, plan_.has_momentum, *gpu_.device()) <= gpu_.memory_bytes();
  } catch (const PlanError&) {  // its axes are too long
    return false;
  }
}

/// The volumes of the host lie in memory, unless the convolutions then have too little of it, or
/// need more than twice the time.
void DeconvolveRun::place_volumes(GpuInUse& gpu) {
  constexpr double kMuchLonger = 2;
  std::optional<deconvolution::StepPlans> in_memory;
  try {
    in_memory = plan_beside(always_held() + held_in_memory(), gpu);
  } catch (const PlanError&) {  // in files there may be room
  }
  plan_.steps = plan_beside(always_held(), gpu);
  plan_.in_files = !in_memory || seconds_of(*in_memory) > kMuchLonger * seconds_of(*plan_.steps);
  if (!plan_.in_files) plan_.steps = std::move(in_memory);
}

/// @param held  bytes of memory that the convolutions cannot use
deconvolution::StepPlans DeconvolveRun::plan_beside(std::int64_t held, GpuInUse& gpu) {
  const std::int64_t of_planes =
      carry_bytes(plane(geometry_.field, 0).size, image_.source->pixel_type(), PixelType::float32);
  const auto plan_one = [&](const fftconv::Problem& problem) {
    return job_.plan.plan_on_this_machine(
        problem, workspace_, gpu, imageio::file_of(job_.output).parent_path(), held, of_planes);
  };
  return {plan_one(blur_problem(geometry_)), plan_one(adjoint_problem(geometry_))};
}

std::int64_t DeconvolveRun::always_held() const {
  return deconvolution::SeenShare::bytes(geometry_) +
         certify_bytes(job_.certify, geometry_, context_.pool.threads());
}

/// Returns the bytes of all volumes but the PSF, where they lie in memory.
std::int64_t DeconvolveRun::held_in_memory() const {
  const std::int64_t images = job_.finds_iterations ? 2 : 1;  // half of it, to find their number
  return images * volume(geometry_.field) * std::int64_t{sizeof(float)} +
         volume_bytes(geometry_, plan_.has_momentum) +
         certify_volume_bytes(job_.certify, geometry_);
}

/// Goes on where the earlier run was, with the same plans.
void DeconvolveRun::follow_checkpoint() {
  if (earlier_->plans.empty()) {
    if (job_.certify.is_wanted())
      throw InvalidSpec(fmt::format(
          "resume {}: its run was done in the memory of a GPU, and --certify recomputes only what "
          "leaves it; leave --certify out, or leave --resume out to start over",
          job_.output.string()));
    if (!fits_device())
      throw CudaError(fmt::format(
          "resume {}: its run was done in the memory of a GPU, and there is none with enough of it "
          "now; give --gpus and --gpu-memory as then, or leave --resume out to start over",
          job_.output.string()));
    plan_.device = *gpu_.device();
    return;
  }
  std::vector<fftconv::Plan> steps;
  bool on_gpu = false;
  for (const std::string& text : earlier_->plans) {
    steps.push_back(fftconv::plan_from_json(text));
    on_gpu |= steps.back().where == fftconv::Place::gpu;
  }
  plan_.steps = {steps.at(0), steps.at(1)};
  const auto fit_beside = [&](std::int64_t held) {
    fftconv::Machine machine = workspace_.machine({}, held);
    if (on_gpu) gpu_.offer_to(machine);
    for (const fftconv::Plan& step : steps) require_fits(step, machine);
  };
  try {
    fit_beside(always_held() + held_in_memory());
  } catch (const PlanError&) {
    plan_.in_files = true;
    fit_beside(always_held());
  }
}

}  // namespace synthoscope::jobs
