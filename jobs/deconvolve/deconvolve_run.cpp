// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/deconvolve_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/part_source.hpp"
#include "core/stream/store_as.hpp"
#include "imageio/image/name.hpp"
#include "jobs/light/number_search.hpp"
#include "jobs/light/operator_certificate.hpp"
#include "jobs/output/resumable_output.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::jobs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Subtracts the electrons of the background, and stores the others as photons.
class AsPhotons final : public Epilogue {
 public:
  AsPhotons(double per_photon, double beside)
      : photons_{static_cast<float>(1 / per_photon)}, beside_{static_cast<float>(beside)} {}
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
        std::transform(
            in.row(z, y), in.row(z, y) + in.extent().x, to.row(z, y),
            [&](Real electrons) { return (static_cast<float>(electrons) - beside_) * photons_; });
  }

  float photons_, beside_;
};

/// What is said of a search in addition to the number that it found.
std::string_view remark_on(deconvolution::SearchEnd end) {
  using deconvolution::SearchEnd;
  if (end == SearchEnd::cycle)
    return "; the search went round in a cycle, of which this number lies nearest to its own best "
           "one";
  if (end == SearchEnd::rounds) return "; the search did not settle, and was stopped here";
  return "";
}

/// The level from which a voxel of an integer image is saturated.
double highest_level(PixelType type) {
  return visit_pixel_type(type, [](auto zero) {
    using Native = decltype(zero);
    return std::is_integral_v<Native> ? static_cast<double>(std::numeric_limits<Native>::max())
                                      : std::numeric_limits<double>::infinity();
  });
}

}  // namespace

DeconvolveReport DeconvolveRun::make(const JobListener& listener) {
  if (finished_) return finished_report();
  const auto scratch =
      job_.sink ? job_.plan.scratch : job_.plan.scratch_folder(imageio::file_of(job_.output));
  VolumePlace place{context_.memory, plan_.in_files ? std::optional{scratch} : std::nullopt};
  if (!plan_.gpus.empty() && plan_.on_host.any()) place.pinned_for = plan_.gpus.front().gpu.id;
  std::unique_ptr<imageio::ImageFile> file;
  if (!job_.sink) file = imageio::create_image(job_.output, spec_);
  watch().lap("create file");
  read_image(place);

  const auto executor = multigpu::make_executor(
      {context_.memory.limit()}, uses_gpu() ? gpu_.devices() : std::vector<cuda::DeviceInfo>{},
      scratch);
  DeconvolveReport report;
  report.extent = geometry_.field;
  report.prepared = prepared_;
  report.in_files = plan_.in_files;
  report.on_device = !plan_.gpus.empty() && !plan_.on_host.any();
  Sink& sink = file ? static_cast<Sink&>(*file) : *job_.sink;
  const auto find = [&] {
    const auto begun = Clock::now();
    if (plan_.filter)
      filter_light(*executor, place, sink, report);
    else
      find_light(*executor, place, sink, report);
    report.seconds = seconds_since(begun);
    report.peak_memory_bytes = context_.memory.peak();
  };
  if (!file) {
    find();
    files_.inputs().require_unchanged();
    job_.sink->close();
    return report;
  }
  keep_finished(
      [&] {
        find();
        file->build();
        const auto inputs = files_.inputs().records(spec_.pool, spec_.stop);
        watch().lap("hash inputs");
        file->close();
        watch().lap("sync");
        listener.end_progress();
        record(report, listener, inputs);
      },
      [&] { return checkpoint_ && checkpoint_->find(); },
      "the same command with --resume continues it");
  if (checkpoint_) checkpoint_->remove();
  light_.reset();  // its memory is free for the caller
  return report;
}

bool DeconvolveRun::uses_gpu() const {
  using fftconv::Place;
  if (plan_.filter) return plan_.filter->where == Place::gpu;
  return !plan_.steps || plan_.steps->blur.where == Place::gpu ||
         plan_.steps->adjoint.where == Place::gpu;
}

void DeconvolveRun::find_light(fftconv::Executor& executor, const VolumePlace& place, Sink& sink,
                               DeconvolveReport& report) {
  const std::int64_t device_bytes = uses_gpu() ? gpu_.memory_bytes() : 0;
  std::optional<fftconv::Kernel> back;
  if (made_voxels_) back = {made_voxels_.get(), 0, 1};
  const LightModel light{{geometry_, kernel_, prepared_.light_beside, back, variation_, depths_},
                         *light_,
                         plan_,
                         {executor, device_bytes, place}};
  const Saving saving{checkpoint_ ? &*checkpoint_ : nullptr,
                      checkpoint_ ? checkpoint_request() : "", job_.saving.every_seconds};
  LightSearch search{light, saving, earlier_ ? &*earlier_ : nullptr, context_};
  Findings number{.iterations = static_cast<int>(wanted_iterations(job_).value_or(0))};
  if (plan_.search) number = find_number(light);
  search.iterate(number);
  report.found = search.found();
  report.search_end = search_end(report.found.rounds, most_iterations(job_.method));
  watch().lap("iterations");
  if (job_.certify.is_wanted())
    keep_certificate(certify_iterations(job_.certify, light, search.light(), context_), report);
  write_field(search.light(), sink);
}

Findings DeconvolveRun::find_number(const LightModel& light) {
  const int most = most_iterations(job_.method);
  NumberSearch search{plan_, light.model, light.image, light.resources, context_};
  const deconvolution::SearchStep found = search.find(default_iterations(job_.method), most);
  watch().lap("number of iterations");
  if (found.number >= most)
    context_.log.warn(
        fmt::format("{} iterations, the most that are tried: light may still come closer to the "
                    "truth, as it does for points; --iterations gives another number",
                    found.number));
  else
    context_.log.note(
        fmt::format("{} iterations came closest to the truth of simulated images of this light{}",
                    found.number, remark_on(found.end)));
  return {.iterations = found.number, .rounds = search.rounds()};
}

/// A linear filter of an image and of its background, which it does not change.
void DeconvolveRun::filter_light(fftconv::Executor& executor, const VolumePlace& place, Sink& sink,
                                 DeconvolveReport& report) {
  const fftconv::Term term{light_.get(), {made_voxels_.get(), 0, 1}, {}};
  AsPhotons photons{camera().per_photon * kernel_.scale * prepared_.psf_sum,
                    prepared_.light_beside};
  if (!job_.certify.is_wanted()) {
    executor.run(*plan_.filter, {&term, 1}, photons, sink, context_);
    return watch().lap("filter");
  }
  const auto filtered = place.make(geometry_.field, "the filtered image");
  StoreAs store{PixelType::float32};
  executor.run(*plan_.filter, {&term, 1}, store, *filtered, context_);
  watch().lap("filter");
  keep_certificate(certify_filter(job_.certify, plan_.filter->problem, term, *filtered, context_),
                   report);
  carry("write result", *filtered, photons, sink, context_);
  watch().lap("write result");
}

/// @throws VerificationFailed  something was computed wrongly.
void DeconvolveRun::keep_certificate(const OperatorCertificate& found,
                                     DeconvolveReport& report) const {
  watch().lap("certify");
  report.certificate = found.json();
  if (const std::string failure = found.failure(); !failure.empty())
    throw VerificationFailed(
        fmt::format("certify {}: {}; no result was written, please report this as a defect",
                    job_.sink ? "the result" : job_.output.string(), failure));
}

/// Copies the image as light, and counts the voxels that do not say how much.
void DeconvolveRun::read_image(const VolumePlace& place) {
  light_ = place.make(geometry_.field, "the image");
  FiniteSource levels{*image_.source, NonFinite::refuse, image_.name};
  deconvolution::RecordedLight light{camera(), highest_level(levels.pixel_type())};
  carry("read image", levels, light, *light_, context_);
  prepared_.unusable = light.unusable();
  warn_of_voxels();
  watch().lap("read image");
}

void DeconvolveRun::warn_of_voxels() const {
  const std::int64_t all = volume(geometry_.field);
  // With a camera, noise of reading makes some voxels negative, as expected
  if (const std::int64_t n = prepared_.unusable.negative; n > 0 && !job_.camera)
    context_.log.warn(fmt::format("{} of {} voxels of {} are negative, and were taken as no light",
                                  n, all, image_.name));
  if (const std::int64_t n = prepared_.unusable.saturated; n > 0)
    context_.log.warn(
        fmt::format("{} of {} voxels of {} are saturated: the light there was "
                    "brighter than the image says, so the result is too dark",
                    n, all, image_.name));
}

void DeconvolveRun::write_field(Source& estimate, Sink& sink) const {
  PartSource field{estimate, field_in_estimate(geometry_)};
  AsPhotons photons{camera().per_photon, 0};
  carry("write result", field, photons, sink, context_);
  watch().lap("write result");
}

void DeconvolveRun::record(const DeconvolveReport& report, const JobListener& listener,
                           const std::vector<imageio::InputRecord>& inputs) const {
  imageio::RunRecord record;
  record.command_line = listener.command_line();
  record.inputs = inputs;
  record.request_json = spec_.provenance;
  record.asked_json = asked_;
  if (plan_.filter) record.plan_json = fftconv::to_json(*plan_.filter);
  if (plan_.steps)
    record.plan_json = text_of({{"blur", parse_json(fftconv::to_json(plan_.steps->blur))},
                                {"adjoint", parse_json(fftconv::to_json(plan_.steps->adjoint))}});
  Json found{{"iterations", report.found.iterations},
             {"log_likelihoods", report.found.log_likelihoods},
             {"search", json_of(report.found.rounds)},
             {"search_end", report.search_end},
             {"negative_voxels", prepared_.unusable.negative},
             {"saturated_voxels", prepared_.unusable.saturated},
             {"negative_psf_voxels", prepared_.psf_negative}};
  if (!report.certificate.empty()) found["certificate"] = parse_json(report.certificate);
  record.found_json = text_of(found);
  record.seconds = report.seconds;
  record.stage_seconds = watch().stages();
  record.warnings = listener.warnings();
  imageio::write_record(job_.output, record, job_.file.overwrite);
}

}  // namespace synthoscope::jobs
