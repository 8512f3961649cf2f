// SPDX-License-Identifier: MIT
// How a convolution is planned. Memory for writing is set aside, and an earlier plan is followed.
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/new_output.hpp"
#include "jobs/convolve/convolve_run.hpp"

namespace synthoscope::jobs {

const fftconv::Plan& ConvolveRun::plan() {
  find_earlier_run();
  find_certifier();
  examine_stacks();
  if (unfinished_) require_same_request();
  decide();
  watch().lap("plan");
  return *plan_;
}

/// What it left has to be found before the files are looked at, because it may have the name.
void ConvolveRun::find_earlier_run() {
  if (job_.plan.dry_run || job_.sink) return;
  if (!job_.shard) {
    unfinished_ = job_.resume.find_unfinished(job_.certify.uncertified_path(job_.output),
                                              job_.output, context_.log);
    return;
  }
  require_shardable();
  shared_.emplace(job_.output, *job_.shard, job_.file.overwrite);
  if (const auto& begun = shared_->begun())
    unfinished_ = imageio::UnfinishedRun{begun->request, begun->plan, {}, begun->has_name, 0};
}

/// @throws CudaError  cuFFT is to certify, and there is no GPU for it.
void ConvolveRun::find_certifier() {
  if (certify_.by != fftconv::FftLibrary::cufft) return;
  const cuda::DeviceInfo* const device = gpu_.device();
  if (!device)
    throw CudaError(
        "convolve --certify-by cufft: no GPU is used; leave --gpus out on a machine that has one, "
        "or give --certify-by fftw or --certify N");
  certify_.gpu = {*device, gpu_.memory_bytes()};
}

void ConvolveRun::require_shardable() const {
  const auto refuse = [](const char* option, const char* why) {
    throw InvalidSpec(fmt::format("--shard with {}: {}; leave one of them out", option, why));
  };
  if (job_.file.compression != imageio::Compression::none)
    refuse("--compression", "the place of a compressed plane depends on the planes before it");
  if (job_.file.format == imageio::FileFormat::bdv)
    refuse("--format bdv", "its file is made of all its chunks at the end");
  if (job_.certify.is_wanted())
    refuse(job_.certify.by ? "--certify-by" : "--certify", "no process sees the complete file");
}

void ConvolveRun::examine_stacks() {
  imageio::OpenOptions opening = job_.opening;
  opening.digests = &files_.inputs().digests();
  image_ = open_stack(job_.image, opening, context_);
  kernel_file_ = open_kernel(job_.kernel, opening, context_);
  join_files(files_, "image", job_.image, image_);
  join_files(files_, "kernel", job_.kernel, kernel_file_);
  if (!job_.plan.dry_run && !job_.sink && (!unfinished_ || !unfinished_->is_whole))
    imageio::require_new_image(job_.output, job_.file.format, job_.file.overwrite);
  watch().lap("open files");
  const imageio::ImageInfo& kernel = kernel_file_.file.info;
  imageio::warn_of_pitch_mismatch(image_.file.info, kernel, context_.log);
  const std::string name = job_.kernel.is_file() ? kernel.path.string() : kernel_file_.name;
  kernel_ = examine_kernel({name, *kernel_file_.source, kernel.kernel_center}, job_.asked.kernel,
                           context_.stop, context_.log);
  watch().lap("kernel");
}

void ConvolveRun::require_same_request() const {
  imageio::require_same_request(
      job_.output, unfinished_->request, request(fftconv::plan_from_json(unfinished_->plan)),
      shared_ ? "remove " + imageio::shares_path(job_.output).string() : "leave --resume out");
}

/// Returns the instruction set of the inner loops of a run, and the library that replaces them.
std::string ConvolveRun::instruction_set(const fftconv::Plan& plan) const {
  if (plan.where == fftconv::Place::gpu) return gpu_.instruction_set();
  const std::string_view loops = fftconv::host_instruction_set(job_.asked.precision);
  if (plan.cut.fft == fftconv::FftLibrary::own) return std::string{loops};
  return fmt::format("{}, {}", loops, version_of(plan.cut.fft));
}

std::string ConvolveRun::request(const fftconv::Plan& plan) const {
  return request_of(job_, image_.file.info, kernel_file_.file.info, *kernel_,
                    instruction_set(plan));
}

void ConvolveRun::decide() {
  const imageio::ImageInfo& image = image_.file.info;
  const BoxOrder stored =
      job_.sink ? job_.sink->accepts() : imageio::order_of(job_.file.format, job_.file.compression);
  const auto problem = problem_of(job_.asked, image.extent, image.type, *kernel_, stored);
  const Extent3 extent = output_extent(problem);
  if (job_.sink && job_.sink->extent() != extent)
    throw InvalidSpec(fmt::format("convolve: the result has {} voxels, but shape {} gives {}",
                                  job_.sink->extent(), name_of(problem.shape), extent));
  spec_ = spec_like(image, extent, output_type(job_.asked, image.type), job_.file);
  spec_.format = imageio::format_of(job_.output, job_.file.format);
  spec_.pool = &context_.pool;
  spec_.stop = &context_.stop;
  // A killed run may have left an uncertified file
  spec_.overwrite |= job_.certify.is_wanted();
  if (certify_.gpu) require_memory(*certify_.gpu, problem);
  begin_file();
  plan_ =
      job_.shard && !unfinished_ ? plan_for_shards(problem) : plan_with_writers(problem, job_.plan);
  files_.finish_input(job_.plan.file);
  if (job_.sink) return;
  writer_memory_ = imageio::reserve_writing(spec_, context_);
  if (!job_.plan.dry_run && !shared_) job_.resume.warn_unless_resumable(*plan_, context_.log);
}

/// While CUDA starts and the run is planned, the system clears the pages of a file in memory.
void ConvolveRun::begin_file() {
  if (job_.plan.dry_run || job_.sink || job_.shard || unfinished_) return;
  spec_.begun = imageio::begin_image(job_.certify.uncertified_path(job_.output), spec_);
}

/// Plans the run together with the strips or chunks that are compressed at once: they get a
/// sixteenth of the memory, or are compressed one at a time if there is no space for more.
fftconv::Plan ConvolveRun::plan_with_writers(const fftconv::Problem& problem,
                                             const PlanSettings& choice) {
  if (job_.sink || imageio::buffered_bytes(spec_) == 0) return plan_with(problem, choice, 0);
  try {
    return plan_with(problem, choice, context_.memory.limit() / 16);
  } catch (const PlanError&) {
    return plan_with(problem, choice, 0);
  } catch (const OutOfDeviceMemory&) {  // a plan for less of the GPU may take more of the host
    return plan_with(problem, choice, 0);
  }
}

fftconv::Plan ConvolveRun::plan_with(const fftconv::Problem& problem, const PlanSettings& choice,
                                     std::int64_t buffer_bytes) {
  spec_.buffer_bytes = buffer_bytes;
  const std::int64_t held = job_.sink ? 0 : imageio::buffered_bytes(spec_);
  const std::int64_t to_certify = job_.certify.bytes(problem, context_.pool.threads(), spec_);
  if (!unfinished_)
    return choice.plan_on_this_machine(
        problem, workspace_, gpu_, imageio::file_of(job_.output).parent_path(), held, to_certify);
  const bool on_gpu = fftconv::plan_from_json(unfinished_->plan).where == fftconv::Place::gpu;
  fftconv::Machine machine = workspace_.machine({}, held);
  machine.fft = choice.fft;
  if (on_gpu) gpu_.offer_to(machine);
  auto plan = plan_of_unfinished(*unfinished_, job_.output, choice, machine);
  require_fits(plan, machine, to_certify);
  return plan;
}

/// Returns a plan with at least one step for each shard: of the requested strategy, otherwise a
/// ring, otherwise tiles. If none has enough steps, returns the plan with the most.
fftconv::Plan ConvolveRun::plan_for_shards(const fftconv::Problem& problem) {
  std::vector<fftconv::Strategy> strategies{job_.plan.strategy};
  if (job_.plan.strategy == fftconv::Strategy::automatic && job_.plan.file.empty())
    strategies.insert(strategies.end(), {fftconv::Strategy::ring, fftconv::Strategy::tiles});
  std::optional<fftconv::Plan> best;
  std::int64_t most = team_ && job_.shard->count == 1 ? 0 : 1;  // one rank shares nothing
  for (const fftconv::Strategy strategy : strategies) try {
      PlanSettings choice = job_.plan;
      choice.strategy = strategy;
      fftconv::Plan plan = plan_with_writers(problem, choice);
      const std::int64_t steps = shared_steps(plan, team_);
      if (steps > most) {
        most = steps;
        best = std::move(plan);
      }
      if (most >= job_.shard->count) break;
    } catch (const PlanError&) {
      if (strategy == job_.plan.strategy) throw;
    }
  if (!best)
    throw InvalidSpec(
        fmt::format("convolve --shard {}: the plan has only one step, so it cannot be shared; "
                    "leave --shard out, or give --strategy ring or tiles, or a smaller --memory",
                    name_of(*job_.shard)));
  if (most < job_.shard->count)
    context_.log.note(
        fmt::format("there are {} steps for {} shards, so some shards have nothing to do; a "
                    "smaller --memory makes more steps",
                    most, job_.shard->count));
  return *best;
}

}  // namespace synthoscope::jobs
