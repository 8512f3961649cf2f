// SPDX-License-Identifier: MIT
// What a deconvolution is made of, where its volumes lie, and how its convolutions are done.
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "deconvolution/dark_level.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/journal.hpp"
#include "imageio/run/new_output.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"

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

const deconvolution::StepPlans& DeconvolveRun::plan() {
  open_stacks();
  read_psf();
  find_background();
  describe_result();
  find_checkpoint();
  decide();
  watch().lap("plan");
  return *plans_;
}

void DeconvolveRun::open_stacks() {
  imageio::OpenOptions opening = job_.opening;
  opening.digests = &files_.inputs().digests();
  image_ = open_stack(job_.image, opening, context_);
  kernel_file_ = open_kernel(job_.kernel, opening, context_);
  join_files(files_, "image", job_.image, image_);
  join_files(files_, "PSF", job_.kernel, kernel_file_);
  if (!job_.plan.dry_run && !job_.sink)
    imageio::require_new_image(job_.output, job_.file.format, job_.file.overwrite);
  watch().lap("open files");
  imageio::warn_of_pitch_mismatch(image_.file.info, kernel_file_.file.info, context_.log);
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

void DeconvolveRun::find_checkpoint() {
  if (job_.plan.dry_run || job_.sink) return;
  checkpoint_.emplace(checkpoint_path(job_.output));
  const std::string file = checkpoint_->path().string();
  if (!job_.saving.resume) {
    if (checkpoint_->find())
      context_.log.note(
          fmt::format("starts from the beginning; with --resume the run of {} would go on", file));
    return;
  }
  earlier_ = checkpoint_->find();
  if (!earlier_) {
    context_.log.note(fmt::format("there is no {}; the run starts from the beginning", file));
    return;
  }
  imageio::require_same_request(job_.output, earlier_->request, checkpoint_request());
  context_.log.note(fmt::format("goes on after {} iterations of {}", earlier_->iterations, file));
}

/// The volumes lie in memory, unless the convolutions then have too little of it, or need more than
/// twice the time.
void DeconvolveRun::decide() {
  constexpr double kMuchLonger = 2;
  const std::int64_t always = deconvolution::SeenShare::bytes(geometry_),
                     held = always + WorkingSet::bytes(geometry_, extras());
  if (earlier_) {
    in_files_ = held > context_.memory.limit() - context_.memory.used();
    if (!in_files_) try {
        plans_ = plan_of_checkpoint(held);
        return;
      } catch (const PlanError&) {
        in_files_ = true;
      }
    plans_ = plan_of_checkpoint(always);
    return;
  }
  std::optional<deconvolution::StepPlans> in_memory;
  try {
    in_memory = plan_beside(held);
  } catch (const PlanError&) {  // in files there may be room
  }
  plans_ = plan_beside(always);
  in_files_ = !in_memory || seconds_of(*in_memory) > kMuchLonger * seconds_of(*plans_);
  if (!in_files_) plans_ = std::move(in_memory);
}

/// @param held  memory that is taken beside the convolutions
deconvolution::StepPlans DeconvolveRun::plan_beside(std::int64_t held) {
  const std::int64_t of_planes =
      carry_bytes(plane(geometry_.field, 0).size, image_.source->pixel_type(), PixelType::float32);
  const auto plan_one = [&](const fftconv::Problem& problem) {
    return job_.plan.plan_on_this_machine(
        problem, workspace_, gpu_, imageio::file_of(job_.output).parent_path(), held, of_planes);
  };
  return {plan_one(blur_problem(geometry_)), plan_one(adjoint_problem(geometry_))};
}

deconvolution::StepPlans DeconvolveRun::plan_of_checkpoint(std::int64_t held) {
  fftconv::Machine machine = workspace_.machine({}, held);
  std::vector<fftconv::Plan> plans;
  for (const std::string& text : earlier_->plans) {
    plans.push_back(fftconv::plan_from_json(text));
    if (plans.back().where == fftconv::Place::gpu) gpu_.offer_to(machine);
    require_fits(plans.back(), machine);
  }
  return {plans.at(0), plans.at(1)};
}

}  // namespace synthoscope::jobs
