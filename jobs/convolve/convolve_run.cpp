// SPDX-License-Identifier: MIT
#include "jobs/convolve/convolve_run.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "imageio/image/name.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::jobs {
namespace {

std::int64_t clipped_by(const std::vector<std::string>& shards) {
  std::int64_t clipped = 0;
  for (const std::string& counts : shards) clipped += counts_from(counts).clipped;
  return clipped;
}

}  // namespace

/// The source and the epilogue of a run, which count voxels.
struct ConvolveRun::Pipeline {
  Pipeline(const ConvolveRun& run, const ConvolveCounts& counted)
      : source{*run.image_.source, run.job_.asked.non_finite, run.image_.name},
        store{run.spec_.type},
        earlier{counted},
        term{&source, run.kernel_->kernel, {}} {}
  [[nodiscard]] ConvolveCounts counts() const {
    return {earlier.clipped + store.clipped(), earlier.non_finite + store.non_finite(),
            earlier.met_non_finite || source.met_any()};
  }
  FiniteSource source;
  StoreAs store;
  ConvolveCounts earlier;
  fftconv::Term term;
};

ConvolveReport ConvolveRun::make(const JobListener& listener) {
  const std::vector<cuda::DeviceInfo> devices =
      plan_->where == fftconv::Place::gpu ? gpu_.devices() : std::vector<cuda::DeviceInfo>{};
  const auto scratch =
      job_.sink ? job_.plan.scratch : job_.plan.scratch_folder(imageio::file_of(job_.output));
  executor_ = multigpu::make_executor({context_.memory.limit()}, devices, scratch, team_);
  spec_.provenance = text_of(fftconv::json_of(job_.asked, *kernel_, *plan_));
  ConvolveReport report = shared_     ? make_shard(listener)
                          : job_.sink ? make_array()
                                      : make_file(listener);
  watch().lap("record");
  return report;
}

/// Convolves the image. @param checkpoint  records finished steps and their counts, if not null
fftconv::RunReport ConvolveRun::convolve(Pipeline& pipeline, Sink& sink, Checkpoint* checkpoint) {
  RunContext context = context_;
  context.checkpoint = checkpoint;
  watch().lap("create file");
  const auto ran = executor_->run(*plan_, {&pipeline.term, 1}, pipeline.store, sink, context);
  watch().add(ran.stages);
  watch().lap("release memory");
  return ran;
}

/// Warns of voxels that were replaced, and refuses a result that is not finite.
void ConvolveRun::check_non_finite(const Pipeline& pipeline) const {
  const ConvolveCounts counts = pipeline.counts();
  if (job_.asked.non_finite == NonFinite::zero && counts.met_non_finite) {
    // Voxels of the caller are not read again to be counted
    const std::string number =
        job_.image.is_file() ? fmt::format("{} ", count_non_finite(*image_.source)) : "";
    context_.log.warn(fmt::format("{}voxels of {} are NaN or infinite and were replaced by 0",
                                  number, image_.name));
  }
  require_finite_result(job_.asked, image_.name, counts.non_finite);
  watch().lap("check voxels");
}

ConvolveReport ConvolveRun::report_of(const fftconv::RunReport& ran, std::int64_t clipped) const {
  return {.extent = spec_.extent,
          .type = spec_.type,
          .strategy = plan_->strategy,
          .ran = ran,
          .clipped = clipped,
          .is_complete = true};
}

void ConvolveRun::warn_of_clipping(const ConvolveReport& report) const {
  if (report.clipped > 0)
    context_.log.warn(fmt::format("{} of {} voxels were clipped to the range of {}", report.clipped,
                                  volume(report.extent), name_of(report.type)));
}

ConvolveReport ConvolveRun::make_array() {
  Pipeline pipeline{*this, {}};
  const auto ran = convolve(pipeline, *job_.sink, nullptr);
  check_non_finite(pipeline);
  files_.inputs().require_unchanged();
  job_.sink->close();
  watch().lap("sync");
  const ConvolveReport report = report_of(ran, pipeline.counts().clipped);
  warn_of_clipping(report);
  return report;
}

ConvolveReport ConvolveRun::make_file(const JobListener& listener) {
  std::optional<Pipeline> begun;
  const std::string asked = job_.resume.keeps ? request(*plan_) : "";
  ResumableOutput output{job_.certify.uncertified_path(job_.output),  spec_,       {asked, *plan_},
                         unfinished_ ? &*unfinished_ : nullptr,       job_.resume, context_.log,
                         [&] { return counts_text(begun->counts()); }};
  Pipeline& pipeline = begun.emplace(*this, counts_from(output.earlier_counts()));
  ConvolveReport report;
  output.complete([&] {
    fftconv::RunReport ran;
    if (!output.is_whole()) ran = convolve(pipeline, output.sink(), output.checkpoint());
    check_non_finite(pipeline);
    const auto inputs = files_.inputs().records(spec_.pool, spec_.stop);
    watch().lap("hash inputs");
    if (!output.is_whole()) output.build();
    watch().lap("finish file");
    if (!output.is_whole()) output.close();
    watch().lap("sync");
    report = report_of(ran, pipeline.counts().clipped);
    executor_.reset();  // what it holds of a GPU is free for the certifier
    writer_memory_ = {};
    report.certified =
        certify_and_rename(certify_, job_.output, job_.file.overwrite, job_.resume.keeps, spec_,
                           plan_->problem, pipeline.term, files_.inputs(), context_);
    if (job_.certify.is_wanted()) watch().lap("certify");
    listener.end_progress();
    record(report, listener, inputs, {}, output.is_whole());
  });
  return report;
}

ConvolveReport ConvolveRun::make_shard(const JobListener& listener) {
  ConvolveReport report = report_of({}, 0);
  report.is_complete = false;
  if (shared_->is_done()) return report;
  const std::string asked = request(*plan_);
  std::optional<Pipeline> pipeline;
  shared_->open(
      spec_, {asked, *plan_}, shared_steps(*plan_, team_), job_.resume, context_.log,
      [&] { return counts_text(pipeline->counts()); }, listener.command_line());
  pipeline.emplace(*this, counts_from(shared_->earlier_counts()));
  shared_->make_share([&] {
    report.ran = convolve(*pipeline, shared_->sink(), &shared_->checkpoint());
    check_non_finite(*pipeline);
    files_.inputs().require_unchanged();
  });
  watch().lap("sync");
  if (team_) team_->wait_for_all();
  if (team_ && team_->member().number != 1) return report;

  std::vector<imageio::InputRecord> inputs;
  const auto read_inputs = [&] { inputs = files_.inputs().records(spec_.pool, spec_.stop); };
  const auto record_all = [&](const std::vector<std::string>& counts) {
    report.clipped = clipped_by(counts);
    report.is_complete = true;
    record(report, listener, inputs,
           text_of({{"request", parse_json(asked)}, {"shards", job_.shard->count}}),
           /*was_whole=*/true);
  };
  report.missing = shared_->close_if_whole(context_.log, read_inputs, record_all);
  listener.end_progress();
  return report;
}

void ConvolveRun::record(const ConvolveReport& report, const JobListener& listener,
                         const std::vector<imageio::InputRecord>& inputs, const std::string& asked,
                         bool was_whole) const {
  warn_of_clipping(report);
  imageio::RunRecord record;
  record.command_line = listener.command_line();
  record.inputs = inputs;
  record.request_json = spec_.provenance;
  record.asked_json = asked;
  record.plan_json = fftconv::to_json(*plan_);
  record.seconds = report.ran.seconds;
  record.stage_seconds = watch().stages();
  record.warnings = listener.warnings();
  if (plan_->cut.fft != fftconv::FftLibrary::own)
    record.libraries = {{"FFTW", version_of(plan_->cut.fft)}};
  imageio::write_record(job_.output, record, job_.file.overwrite || was_whole);
}

}  // namespace synthoscope::jobs
