// SPDX-License-Identifier: MIT
#include "tools/jobs/convolve_run.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "fftconv/plan/cuts/turn_steps.hpp"
#include "fftconv/plan/file.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// Counts of a run other than its computing, and those of the earlier run that it resumes.
struct Counts {
  std::int64_t clipped = 0, non_finite = 0;
  bool met_non_finite = false;  ///< in the image
};

std::string print_counts(const Counts& counts) {
  return text_of(Json{{"clipped", counts.clipped},
                      {"non_finite", counts.non_finite},
                      {"met_non_finite", counts.met_non_finite}});
}

/// Nothing where the text is empty.
/// @throws InvalidInput  it is not what print_counts() writes.
Counts counts_from(const std::string& text) try {
  if (text.empty()) return {};
  const auto json = parse_json(text);
  return {whole_of(json.at("clipped")), whole_of(json.at("non_finite")),
          json.at("met_non_finite").get<bool>()};
} catch (const Json::exception& failure) {
  throw InvalidInput(
      fmt::format("go on: what the journal counts is broken ({}); begin anew without --resume",
                  failure.what()));
}

Counts sum_of(const std::vector<std::string>& shards) {
  Counts all;
  for (const std::string& text : shards) {
    const Counts one = counts_from(text);
    all = {all.clipped + one.clipped, all.non_finite + one.non_finite,
           all.met_non_finite || one.met_non_finite};
  }
  return all;
}

}  // namespace

std::int64_t shared_steps(const fftconv::Plan& plan, const fftconv::Team* team) {
  const bool exchanges =
      team && plan.strategy == fftconv::Strategy::parts && plan.where == fftconv::Place::host;
  return exchanges ? team->member().count : fftconv::step_count(plan);
}

/// The voxels of a run, and what is counted of them.
struct ConvolveRun::Work {
  Work(const ConvolveJob& job, NonFinite non_finite, const Counts& earlier)
      : source{*job.image.source, non_finite, job.image_name},
        store{job.spec.type},
        before{earlier} {}
  [[nodiscard]] Counts counts() const {
    return {before.clipped + store.clipped(), before.non_finite + store.non_finite(),
            before.met_non_finite || source.met_any()};
  }
  FiniteSource source;
  StoreAs store;
  Counts before;
};

/// What was written.
struct ConvolveRun::Outcome {
  fftconv::RunReport ran;
  std::int64_t clipped = 0;
  std::optional<fftconv::Certificate> certificate;
  bool was_whole = false;  ///< an earlier run wrote it, and perhaps the record
  std::vector<imageio::InputRecord> inputs = {};
  std::string asked = {};  ///< of the shards that made it
};

/// Counts go into the journal after every step.
fftconv::RunReport ConvolveRun::convolve(Work& work, Sink& sink, Checkpoint& checkpoint,
                                         RunContext context) {
  context.checkpoint = &checkpoint;
  const fftconv::Term term{&work.source, job_.kernel.kernel, {}};
  return executor_.run(job_.plan, {&term, 1}, work.store, sink, context);
}

void ConvolveRun::judge(const Work& work) const {
  const Counts counts = work.counts();
  if (settings_.asked.non_finite == NonFinite::zero && counts.met_non_finite)
    invocation_.console.warn(fmt::format("{} voxels of {} are NaN or infinite and were taken as 0",
                                         count_non_finite(*job_.image.source), job_.image_name));
  require_finite_result(settings_.asked, job_.image_name, counts.non_finite);
}

void ConvolveRun::make(const RunContext& context) {
  std::optional<Work> begun;
  ResumableOutput output{settings_.certify.path_before(output_),
                         job_.spec,
                         {job_.request, job_.plan},
                         job_.unfinished,
                         settings_.resume,
                         invocation_.console,
                         [&] { return print_counts(begun->counts()); }};
  Work& work =
      begun.emplace(job_, settings_.asked.non_finite, counts_from(output.earlier_counts()));
  std::optional<Outcome> outcome;
  output.complete([&] {
    fftconv::RunReport ran;
    if (!output.is_whole()) ran = convolve(work, output.sink(), output.checkpoint(), context);
    judge(work);
    auto inputs = job_.inputs.records(job_.spec.stop);
    if (!output.is_whole()) {
      Stopwatch closing{
          ran.stages};  // not part of ran.seconds: the time of a flush depends on the disk alone
      output.close();
      closing.lap("sync");
    }
    const fftconv::Term term{&work.source, job_.kernel.kernel, {}};
    const auto certificate = certify_and_rename(settings_.certify, output_, settings_.overwrite,
                                                job_.plan.problem, term, job_.inputs, context);
    invocation_.console.finish();
    outcome.emplace(
        Outcome{ran, work.counts().clipped, certificate, output.is_whole(), std::move(inputs)});
    record(*outcome);
  });
  print(*outcome);
}

void ConvolveRun::make_shard(SharedOutput& output, const Shard& shard, fftconv::Team* team,
                             const RunContext& context) {
  const bool speaks = !team || team->member().number == 1;
  if (output.is_done()) return speaks ? print_missing(shard, {}) : void();
  std::optional<Work> work;
  output.open(
      job_.spec, {job_.request, job_.plan}, shared_steps(job_.plan, team), settings_.resume,
      invocation_.console, [&] { return print_counts(work->counts()); }, invocation_.command_line);
  work.emplace(job_, settings_.asked.non_finite, counts_from(output.earlier_counts()));
  fftconv::RunReport ran;
  output.make_share([&] {
    ran = convolve(*work, output.sink(), output.checkpoint(), context);
    judge(*work);
    job_.inputs.require_unchanged();
  });
  if (team) team->wait_for_all();
  if (!speaks) return;

  std::optional<Outcome> outcome;
  std::vector<imageio::InputRecord> inputs;
  const auto read_inputs = [&] { inputs = job_.inputs.records(job_.spec.stop); };
  const auto record_all = [&](const std::vector<std::string>& counts) {
    outcome.emplace(Outcome{ran, sum_of(counts).clipped, std::nullopt, /*was_whole=*/true, inputs});
    outcome->asked = text_of({{"request", parse_json(job_.request)}, {"shards", shard.count}});
    record(*outcome);
  };
  const auto missing = output.close_if_whole(invocation_.console, read_inputs, record_all);
  invocation_.console.finish();
  if (outcome) return print(*outcome);
  print_missing(shard, missing);
}

/// Prints the result of a shard that other shards follow or have preceded.
void ConvolveRun::print_missing(const Shard& shard,
                                const std::vector<std::int64_t>& missing) const {
  if (settings_.run.json)
    return print_json({{"output", output_.string()},
                       {"shard", {shard.number, shard.count}},
                       {"whole", missing.empty()},
                       {"missing", missing}});
  print_summary(fmt::format("{}: shard {} is done{}", output_.string(), name_of(shard),
                            missing.empty()
                                ? ", and so are all others"
                                : fmt::format("; {} not yet", fmt::join(missing, ", "))));
}

void ConvolveRun::record(const Outcome& outcome) const {
  const fftconv::RunReport& ran = outcome.ran;
  Console& console = invocation_.console;
  if (outcome.clipped > 0)
    console.warn(fmt::format("{} of {} voxels were clipped to the range of {}", outcome.clipped,
                             volume(job_.spec.extent), name_of(job_.spec.type)));
  if (settings_.run.verbose) console.text(stages_text(ran.stages, ran.peak_memory_bytes));
  imageio::RunRecord record;
  record.command_line = invocation_.command_line;
  record.inputs = outcome.inputs;
  record.request_json = job_.spec.provenance;
  record.asked_json = outcome.asked;
  record.plan_json = fftconv::to_json(job_.plan);
  record.seconds = ran.seconds;
  record.stage_seconds = ran.stages;
  record.warnings = console.warnings();
  imageio::write_record(output_, record, settings_.overwrite || outcome.was_whole);
}

void ConvolveRun::print(const Outcome& outcome) const {
  const fftconv::RunReport& ran = outcome.ran;
  if (!settings_.run.json) {
    std::string text = fmt::format("{}: {} {}, {:.3f} s", output_.string(), job_.spec.extent,
                                   name_of(job_.spec.type), ran.seconds);
    if (outcome.certificate) text += '\n' + sentence_of(*outcome.certificate);
    return print_summary(text);
  }
  Json result{{"output", output_.string()},
              {"extent", json_of(job_.spec.extent)},
              {"type", name_of(job_.spec.type)},
              {"clipped", outcome.clipped},
              {"warnings", invocation_.console.warnings()},
              {"run", json_of(ran, invocation_.console.peak_anonymous_bytes())}};
  if (outcome.certificate) result["certificate"] = json_of(*outcome.certificate);
  print_json(result);
}

}  // namespace synthoscope::tools
