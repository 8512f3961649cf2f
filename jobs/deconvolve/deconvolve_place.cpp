// SPDX-License-Identifier: MIT
// Where the volumes of a deconvolution lie, and how its convolutions are done.
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <utility>
#include "core/base/error.hpp"
#include "core/stream/carry.hpp"
#include "fftconv/plan.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"
#include "jobs/light/brightest_part.hpp"
#include "jobs/light/number_search.hpp"
#include "jobs/light/operator_certificate.hpp"

namespace synthoscope::jobs {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

double seconds_of(const deconvolution::StepPlans& plans) {
  double seconds = 0;
  for (const fftconv::Plan* const plan : {&plans.blur, &plans.adjoint})
    if (const fftconv::Candidate* const chosen = plan->chosen()) seconds += chosen->seconds;
  return seconds;
}

}  // namespace

/// Iterations are done in the memory of a GPU where all spectra fit, else between volumes of the
/// host; without a GPU where that is soon done.
void DeconvolveRun::decide() {
  plan_.has_momentum = job_.method == Method::shb;
  if (earlier_) return follow_checkpoint();
  decide_iterations();
  if (job_.finds_iterations) plan_search();
}

void DeconvolveRun::decide_iterations() {
  if (gpu_.is_automatic() && finishes_without_gpu()) return;
  if (!place_on_gpus()) place_volumes(gpu_);
}

/// Plans the search for the number of iterations on as large a part of the image as memory allows,
/// between volumes in memory; through a GPU if the iterations use one.
void DeconvolveRun::plan_search() {
  constexpr std::int64_t kFewest = std::int64_t{1} << 14, kFewPlanes = 128;
  static const GpuChoice kNone{.gpus = "none", .memory_bytes = {}};
  GpuInUse none{kNone, workspace_};
  GpuInUse& gpu = uses_gpu() ? gpu_ : none;
  const std::int64_t of_image = plan_.in_files ? 0 : volume(geometry_.field) * kFloat;
  for (std::int64_t voxels = kSearchedVoxels;; voxels /= 2) {
    SearchPlan search{.geometry = geometry_};
    // Each PSF has a weight for every plane of the image
    search.geometry.field =
        part_extent(geometry_.field, voxels, depths_.empty() ? kFewPlanes : geometry_.field.z);
    if (!(search.geometry.field == geometry_.field))
      search.geometry.edge = deconvolution::Edge::extend;
    try {
      search.steps =
          plan_beside(search.geometry,
                      of_image + search_bytes(search, estimate_count(), plan_.has_momentum), gpu);
      plan_.search = std::move(search);
      return;
    } catch (const PlanError&) {
      if (voxels <= kFewest) throw;
    }
  }
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
  return finish_before_gpu_starts(steps, most_runs_of_steps());
}

/// Returns how often each convolution is run, if no iteration ends the search.
std::int64_t DeconvolveRun::most_runs_of_steps() const {
  return prepared_.psfs * wanted_iterations(job_).value_or(most_iterations(job_.method));
}

/// Plans for the memory of GPUs if all spectra fit there, and returns whether they do. All volumes
/// lie there as well, on as many GPUs as make it faster. If the volumes do not fit, one GPU has the
/// spectra and what fits beside them: first the estimates, which are copied both ways, then the
/// image. Blurred light never leaves a GPU, so --certify cannot check it.
bool DeconvolveRun::place_on_gpus() {
  const auto& asked = job_.plan;
  const bool is_free = asked.strategy == fftconv::Strategy::automatic && !asked.fft;
  if (!is_free || job_.edge == deconvolution::Edge::wrap || job_.method == Method::wb ||
      variation_ || !depths_.empty() || job_.certify.is_wanted() || !gpu_.device())
    return false;
  constexpr deconvolution::VolumesOnHost kPlaces[] = {
      {.image = true}, {.estimates = true}, {.image = true, .estimates = true}};
  auto shared = share_field(geometry_, plan_.has_momentum, gpu_.devices(), gpu_.memory_bytes());
  if (!shared.empty() && place_on_gpus(std::move(shared), {})) return true;
  try {
    return std::any_of(std::begin(kPlaces), std::end(kPlaces), [this](const auto& on_host) {
      return place_on_gpus(on_one_gpu(geometry_, *gpu_.device()), on_host);
    });
  } catch (const PlanError&) {  // its axes are too long
    return false;
  }
}

/// @throws PlanError  its axes are too long
bool DeconvolveRun::place_on_gpus(std::vector<deconvolution::GpuShare> gpus,
                                  const deconvolution::VolumesOnHost& on_host) {
  const bool has_momentum = plan_.has_momentum;
  const std::int64_t bytes = resident_bytes(gpus, has_momentum, on_host);
  if (bytes > gpu_.memory_bytes()) return false;
  // Also an image that GPUs hold was read from its file to a volume of the host
  const std::int64_t image = volume(geometry_.field), estimate = volume(estimate_extent(geometry_)),
                     estimates = on_host.estimates ? (has_momentum ? 2 : 1) * estimate : 0,
                     in_memory = (image + estimates) * std::int64_t{sizeof(float)};
  const std::int64_t left =
      workspace_.machine({}, always_held(geometry_) + plane_bytes()).host_bytes;
  const bool in_files = in_memory > left;
  if (in_files && staged_bytes(geometry_, has_momentum, on_host) > left) return false;
  plan_.gpus = std::move(gpus);
  plan_.steps.reset();
  plan_.on_host = on_host;
  plan_.device_bytes = bytes;
  plan_.link = link_bytes(geometry_, has_momentum, on_host);
  plan_.in_files = in_files;
  return true;
}

/// The volumes of the host lie in memory, unless the convolutions then have too little of it, or
/// need more than twice the time.
void DeconvolveRun::place_volumes(GpuInUse& gpu) {
  constexpr double kMuchLonger = 2;
  std::optional<deconvolution::StepPlans> in_memory;
  try {
    in_memory = plan_beside(geometry_, held_in_memory(), gpu);
  } catch (const PlanError&) {  // in files there may be room
  }
  plan_.steps = plan_beside(geometry_, 0, gpu);
  plan_.in_files = !in_memory || seconds_of(*in_memory) > kMuchLonger * seconds_of(*plan_.steps);
  if (!plan_.in_files) plan_.steps = std::move(in_memory);
}

/// @param of_volumes  bytes of memory that the convolutions cannot use; 0: volumes lie in files,
///     whose pieces take time
deconvolution::StepPlans DeconvolveRun::plan_beside(const deconvolution::Geometry& geometry,
                                                    std::int64_t of_volumes, GpuInUse& gpu) {
  const std::int64_t of_planes = plane_bytes(), held = of_volumes + always_held(geometry);
  const auto plan_one = [&](fftconv::Problem problem) {
    if (of_volumes == 0) {
      problem.image_voxel_bytes = sizeof(float);
      problem.result_voxel_bytes = 2 * sizeof(float);  // read, changed and written
    }
    return job_.plan.plan_on_this_machine(problem, workspace_, gpu,
                                          imageio::file_of(job_.output).parent_path(), held,
                                          of_planes, most_runs_of_steps());
  };
  return {plan_one(blur_problem(geometry)), plan_one(adjoint_problem(geometry))};
}

/// Returns the most memory of a thread that copies planes: of the image, of the result, and of
/// estimates that are copied or added up.
std::int64_t DeconvolveRun::plane_bytes() const {
  const auto copied = [](const Extent3& extent, PixelType read) {
    return carry_bytes(plane(extent, 0).size, read, PixelType::float32);
  };
  const bool copies_estimates = variation_ || !depths_.empty();
  const Extent3 largest = copies_estimates ? estimate_extent(geometry_) : geometry_.field;
  return std::max(copied(geometry_.field, image_.source->pixel_type()),
                  copied(largest, PixelType::float32));
}

/// Returns the memory that is neither of volumes nor of convolutions.
std::int64_t DeconvolveRun::always_held(const deconvolution::Geometry& geometry) const {
  return prepared_.psfs * deconvolution::SeenShare::bytes(geometry) +
         certify_bytes(job_.certify, geometry, context_.pool.threads());
}

/// Returns the number of volumes as large as the estimate.
std::int64_t DeconvolveRun::estimate_count() const {
  return 1 + (plan_.has_momentum ? 1 : 0) + (variation_ ? 1 : 0) + (depths_.empty() ? 0 : 1);
}

/// Returns the bytes of all volumes but the PSF, where they lie in memory.
std::int64_t DeconvolveRun::held_in_memory() const {
  return volume(geometry_.field) * kFloat + volume_bytes(geometry_, estimate_count()) +
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
    if (!place_on_gpus())
      throw CudaError(fmt::format(
          "resume {}: its run was done in the memory of a GPU, and there is none with enough of it "
          "now; give --gpus and --gpu-memory as then, or leave --resume out to start over",
          job_.output.string()));
    return;
  }
  std::vector<fftconv::Plan> steps;
  bool on_gpu = false;
  for (const std::string& text : earlier_->plans) {
    steps.push_back(fftconv::plan_from_json(text));
    on_gpu |= steps.back().where == fftconv::Place::gpu;
  }
  plan_.steps = {steps.at(0), steps.at(1)};
  const auto fit_beside = [&](std::int64_t of_volumes) {
    fftconv::Machine machine = workspace_.machine({}, of_volumes + always_held(geometry_));
    if (on_gpu) gpu_.offer_to(machine);
    for (const fftconv::Plan& step : steps) require_fits(step, machine, plane_bytes());
  };
  try {
    fit_beside(held_in_memory());
  } catch (const PlanError&) {
    plan_.in_files = true;
    fit_beside(0);
  }
}

}  // namespace synthoscope::jobs
