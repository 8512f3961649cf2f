// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/deconvolve_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/part_source.hpp"
#include "imageio/image/name.hpp"
#include "jobs/output/resumable_output.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::jobs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Stores electrons as photons.
class AsPhotons final : public Epilogue {
 public:
  explicit AsPhotons(double per_photon) : photons_{static_cast<float>(1 / per_photon)} {}
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3&, HostView3<const float> in, VoxelView out) override { scale(in, out); }
  void apply(const Box3&, HostView3<const double> in, VoxelView out) override { scale(in, out); }

 private:
  template <class Real>
  void scale(HostView3<const Real> in, VoxelView out) {
    const HostView3<float> to = out.as<float>();
    for (std::int64_t z = 0; z < in.extent().z; ++z)
      for (std::int64_t y = 0; y < in.extent().y; ++y)
        std::transform(in.row(z, y), in.row(z, y) + in.extent().x, to.row(z, y),
                       [&](Real electrons) { return static_cast<float>(electrons) * photons_; });
  }

  float photons_;
};

/// The level from which a voxel of an integer image is saturated.
double highest_level(PixelType type) {
  return visit_pixel_type(type, [](auto zero) {
    using Native = decltype(zero);
    return std::is_integral_v<Native> ? static_cast<double>(std::numeric_limits<Native>::max())
                                      : std::numeric_limits<double>::infinity();
  });
}

}  // namespace

/// Puts the number of the iteration in front of every stage.
class DeconvolveRun::NumberedProgress final : public Progress {
 public:
  NumberedProgress(Progress& whole, std::int64_t all) : whole_{whole}, all_{all} {}
  void begin_iteration(int number) { number_ = number; }
  void begin(std::string_view stage, std::int64_t total) override {
    whole_.begin(fmt::format("iteration {}/{}: {}", number_, all_, stage), total);
  }
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
  std::int64_t all_;
  int number_ = 0;
};

DeconvolveReport DeconvolveRun::make(const JobListener& listener) {
  const auto scratch =
      job_.sink ? job_.plan.scratch : job_.plan.scratch_folder(imageio::file_of(job_.output));
  set_.emplace(geometry_, has_momentum(), context_.memory,
               in_files_ ? std::optional{scratch} : std::nullopt);
  std::unique_ptr<imageio::ImageFile> file;
  if (!job_.sink) file = imageio::create_image(job_.output, spec_);
  watch().lap("create file");
  read_image();

  const bool on_gpu =
      plans_->blur.where == fftconv::Place::gpu || plans_->adjoint.where == fftconv::Place::gpu;
  const auto executor =
      multigpu::make_executor({context_.memory.limit()},
                              on_gpu ? gpu_.devices() : std::vector<cuda::DeviceInfo>{}, scratch);
  DeconvolveReport report;
  report.extent = geometry_.field;
  report.prepared = prepared_;
  report.in_files = in_files_;
  NumberedProgress progress{context_.progress, job_.iterations};
  const RunContext numbered = with_progress(progress, context_);
  const auto find_light = [&] {
    deconvolution::RichardsonLucy lucy{{geometry_, kernel_, prepared_.light_beside},
                                       set_->image(),
                                       set_->volumes(),
                                       *plans_,
                                       *executor,
                                       numbered};
    iterate(lucy, progress, report);
    write_field(lucy.result(), file ? static_cast<Sink&>(*file) : *job_.sink);
  };
  if (!file) {
    find_light();
    files_.inputs().require_unchanged();
    job_.sink->close();
    return report;
  }
  keep_finished(
      [&] {
        find_light();
        file->build();
        const auto inputs = files_.inputs().records(spec_.pool, spec_.stop);
        watch().lap("hash inputs");
        file->close();
        watch().lap("sync");
        listener.end_progress();
        record(report, listener, inputs);
      },
      [&] { return checkpoint_->find().has_value(); },
      "the same command with --resume continues it");
  checkpoint_->remove();
  return report;
}

/// Copies the image as light, and counts the voxels that do not say how much.
void DeconvolveRun::read_image() {
  FiniteSource levels{*image_.source, NonFinite::refuse, image_.name};
  deconvolution::RecordedLight light{job_.camera, highest_level(levels.pixel_type())};
  carry("read image", levels, light, set_->image(), context_);
  prepared_.unusable = light.unusable();
  warn_of_voxels();
  watch().lap("read image");
}

void DeconvolveRun::warn_of_voxels() const {
  const std::int64_t all = volume(geometry_.field);
  if (const std::int64_t n = prepared_.unusable.negative; n > 0)
    context_.log.warn(
        fmt::format("{} of {} voxels of {} are darker than {:g}, and were taken as "
                    "no light",
                    n, all, image_.name, job_.camera.offset));
  if (const std::int64_t n = prepared_.unusable.saturated; n > 0)
    context_.log.warn(
        fmt::format("{} of {} voxels of {} are saturated: the light there was "
                    "brighter than the image says, so the result is too dark",
                    n, all, image_.name));
}

void DeconvolveRun::iterate(deconvolution::RichardsonLucy& lucy, NumberedProgress& progress,
                            DeconvolveReport& report) {
  if (earlier_) {
    checkpoint_->load(set_->kept<Sink>(), context_);
    lucy.go_on_after(earlier_->iterations);
    report.log_likelihoods = earlier_->measures;
  } else {
    lucy.begin();
  }
  watch().lap("begin");
  const auto begun = Clock::now();
  auto saved = begun;
  while (lucy.iterations() < job_.iterations) {
    progress.begin_iteration(lucy.iterations() + 1);
    report.log_likelihoods.push_back(lucy.iterate());
    watch().lap("iterations");
    if (!checkpoint_ || lucy.iterations() == job_.iterations ||
        seconds_since(saved) < job_.saving.every_seconds)
      continue;
    save(lucy, report);
    saved = Clock::now();
    watch().lap("checkpoints");
  }
  report.iterations = lucy.iterations();
  report.seconds = seconds_since(begun);
  report.peak_memory_bytes = context_.memory.peak();
}

/// A disk that is too full for a checkpoint is no reason to stop.
void DeconvolveRun::save(const deconvolution::RichardsonLucy& lucy,
                         const DeconvolveReport& report) {
  try {
    checkpoint_->save({.request = checkpoint_request(),
                       .plans = {fftconv::to_json(plans_->blur), fftconv::to_json(plans_->adjoint)},
                       .iterations = lucy.iterations(),
                       .measures = report.log_likelihoods},
                      set_->kept<Source>(), context_);
  } catch (const IoError& failure) {
    context_.log.warn(
        fmt::format("iteration {} was not saved: {}", lucy.iterations(), failure.what()));
  }
}

/// Everything that can change a bit of a later iteration; not how many there are.
std::string DeconvolveRun::checkpoint_request() const {
  Json request = parse_json(request_of(job_, prepared_));
  request.erase("iterations");
  request["image"] = identity_of(job_.image.file, image_.file.info);
  request["PSF"] = identity_of(job_.kernel.file, kernel_file_.file.info);
  return text_of(request);
}

void DeconvolveRun::write_field(Source& estimate, Sink& sink) const {
  PartSource field{estimate, field_in_estimate(geometry_)};
  AsPhotons photons{job_.camera.per_photon};
  carry("write result", field, photons, sink, context_);
  watch().lap("write result");
}

void DeconvolveRun::record(const DeconvolveReport& report, const JobListener& listener,
                           const std::vector<imageio::InputRecord>& inputs) const {
  imageio::RunRecord record;
  record.command_line = listener.command_line();
  record.inputs = inputs;
  record.request_json = spec_.provenance;
  record.plan_json = text_of({{"blur", parse_json(fftconv::to_json(plans_->blur))},
                              {"adjoint", parse_json(fftconv::to_json(plans_->adjoint))}});
  record.found_json = text_of({{"iterations", report.iterations},
                               {"log_likelihoods", report.log_likelihoods},
                               {"negative_voxels", prepared_.unusable.negative},
                               {"saturated_voxels", prepared_.unusable.saturated},
                               {"negative_psf_voxels", prepared_.psf_negative}});
  record.seconds = report.seconds;
  record.stage_seconds = watch().stages();
  record.warnings = listener.warnings();
  imageio::write_record(job_.output, record, job_.file.overwrite);
}

}  // namespace synthoscope::jobs
