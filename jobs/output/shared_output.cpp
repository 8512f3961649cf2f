// SPDX-License-Identifier: MIT
#include "jobs/output/shared_output.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/text_file.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/provenance.hpp"
#include "jobs/output/resumable_output.hpp"

namespace synthoscope::jobs {
namespace {

/// Returns the shards that made a whole file, as its record says; nothing if it was not made by
/// shards.
std::optional<imageio::SharedRun> recorded_run(const std::filesystem::path& output) {
  std::error_code ignored;
  const auto record = imageio::record_path(output);
  if (!std::filesystem::exists(imageio::file_of(output), ignored) ||
      !std::filesystem::exists(record, ignored))
    return std::nullopt;
  try {
    const Json json = parse_json(imageio::read_text(record, imageio::kMaxRecordBytes));
    return imageio::SharedRun{text_of(json.at("asked").at("request")),
                              text_of(json.at("plan")),
                              "",
                              whole_of(json.at("asked").at("shards")),
                              0,
                              true,
                              ""};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

bool is_in_parts(const imageio::SharedRun& run) {
  return fftconv::plan_from_json(run.plan).strategy == fftconv::Strategy::parts;
}

/// Explains why the steps of the existing run are not the steps of this process.
std::string other_steps(const imageio::SharedRun& begun, std::int64_t steps) {
  return is_in_parts(begun) ? fmt::format(
                                  "{} ranks of an MPI job began it in frequency parts; run it with "
                                  "as many ranks and --mpi",
                                  begun.shares)
                            : fmt::format(
                                  "it was begun in {} steps, and this run has {}; run the command "
                                  "that it was begun with",
                                  begun.steps, steps);
}

std::optional<imageio::UnfinishedRun> share_journal(const std::filesystem::path& output,
                                                    const Shard& shard) {
  return imageio::read_journal(output, output, imageio::boot_id(),
                               imageio::share_journal_path(output, shard.number, shard.count));
}

}  // namespace

std::string command_record(const std::vector<std::string>& words) {
  return text_of({{"words", words}, {"folder", std::filesystem::current_path().string()}});
}

std::vector<std::int64_t> missing_shares(const std::filesystem::path& output,
                                         const imageio::SharedRun& run) {
  std::vector<std::int64_t> missing;
  if (run.has_name) return missing;
  for (std::int64_t number = 1; number <= run.shares; ++number) {
    const IntervalSet share{share_of({number, run.shares}, run.steps)};
    if (share.count() == 0) continue;  // there are fewer steps than shards
    const auto journal = share_journal(output, {number, run.shares});
    if (!journal || share.without(journal->last.finished).count() > 0) missing.push_back(number);
  }
  return missing;
}

void forget_unfinished_parts(const std::filesystem::path& output) {
  imageio::SharedFileLock lock{output};
  const auto run = lock.begun();
  if (!run || !is_in_parts(*run) || missing_shares(output, *run).empty()) return;
  std::vector<std::unique_ptr<imageio::ShareLock>> held;  // none while a job still works on it
  for (std::int64_t number = 1; number <= run->shares; ++number)
    held.push_back(std::make_unique<imageio::ShareLock>(output, number, run->shares));
  lock.finish();
}

SharedOutput::SharedOutput(const std::filesystem::path& output, const Shard& shard, bool anew)
    : output_{output},
      shard_{shard},
      file_lock_{std::in_place, output},
      begun_{file_lock_->begun()} {
  if (!begun_ && !anew) {
    begun_ = recorded_run(output_);
    is_done_ = begun_.has_value();
  }
  if (begun_ && begun_->shares != shard_.count)
    throw InvalidSpec(
        fmt::format("share {}: it was begun in {} shards, and this is {}; give --shard I/{}, or "
                    "remove {} to start over",
                    output_.string(), begun_->shares, name_of(shard_), begun_->shares,
                    (is_done_ ? output_ : imageio::shares_path(output_)).string()));
}

void SharedOutput::open(imageio::ImageSpec spec, const ResumableRequest& request,
                        std::int64_t steps, const ResumeChoice& choice, Log& log,
                        std::function<std::string()> counts,
                        const std::vector<std::string>& command) {
  spec_ = std::move(spec);
  const std::string plan = fftconv::to_json(request.plan);
  if (!begun_) {
    const auto file = imageio::create_image(output_, spec_);
    begun_ = imageio::SharedRun{request.request, plan,  file->checkpoint(),     shard_.count,
                                steps,           false, command_record(command)};
    file_lock_->begin(*begun_);
    file->keep(true);
  }
  if (begun_->steps != steps)
    throw InvalidSpec(fmt::format("share {}: {}, or remove {} to start over", output_.string(),
                                  other_steps(*begun_, steps),
                                  imageio::shares_path(output_).string()));
  spec_.shared = true;
  share_lock_.emplace(output_, shard_.number, shard_.count);
  auto earlier = journal_of(shard_.number);
  if (!begun_->has_name) open_file(earlier, log);
  if (earlier) earlier_counts_ = earlier->last.counts;
  file_lock_.reset();  // the file is locked by now against those that would begin it anew
  if (!file_) return;
  imageio::Journal::Settings settings;
  settings.every = std::chrono::duration<double>{choice.every_seconds};
  settings.path = imageio::share_journal_path(output_, shard_.number, shard_.count);
  journal_ =
      std::make_unique<imageio::Journal>(output_, request.request, plan, *file_, std::move(counts),
                                         earlier ? &*earlier : nullptr, settings);
  steps_ = std::make_unique<multigpu::ShardSteps>(shard_, *journal_);
}

/// Checks only what this process wrote: others check, and if needed repeat, their own boxes.
void SharedOutput::open_file(std::optional<imageio::UnfinishedRun>& earlier, Log& log) {
  if (earlier) try {
      file_ = imageio::resume_image(output_, spec_, earlier->last.file);
      return;
    } catch (const imageio::LeftoverChanged&) {
      log.warn(
          fmt::format("the finished part of shard {} of {} was changed after the earlier run; the "
                      "shard starts from the beginning",
                      name_of(shard_), output_.string()));
      earlier.reset();
    }
  file_ = imageio::resume_image(output_, spec_, begun_->file);
}

/// Removes the journals of shares that are no longer as they were written. @returns their numbers
std::vector<std::int64_t> SharedOutput::forget_changed_shares(Log& log) const {
  std::vector<std::int64_t> changed;
  for (std::int64_t number = 1; number <= shard_.count; ++number) {
    const auto journal = journal_of(number);
    if (!journal) continue;
    try {
      (void)imageio::resume_image(output_, spec_, journal->last.file);
    } catch (const imageio::LeftoverChanged&) {
      changed.push_back(number);
      std::filesystem::remove(imageio::share_journal_path(output_, number, shard_.count));
      log.warn(
          fmt::format("the part of shard {} of {} in {} was changed after that shard wrote it; run "
                      "the command of that shard again",
                      number, shard_.count, output_.string()));
    }
  }
  return changed;
}

bool SharedOutput::is_begun(const imageio::SharedRun& run) const {
  return run.shares == begun_->shares && parse_json(run.request) == parse_json(begun_->request);
}

std::optional<imageio::UnfinishedRun> SharedOutput::journal_of(std::int64_t number) const {
  return share_journal(output_, {number, shard_.count});
}

void SharedOutput::make_share(const std::function<void()>& body) {
  if (!file_) return;
  keep_finished(
      [&] {
        body();
        journal_->finish_share();
      },
      [&] { return journal_->keep_for_resume(); }, "the same command continues this shard");
  journal_->keep_for_resume();
  steps_.reset();
  journal_.reset();
  file_.reset();
}

std::vector<std::int64_t> SharedOutput::close_if_whole(
    Log& log, const std::function<void()>& prepare,
    const std::function<void(const std::vector<std::string>&)>& record) {
  imageio::SharedFileLock lock{output_};
  const auto run = lock.begun();
  if (!run || !is_begun(*run)) {
    if (const auto recorded = recorded_run(output_); recorded && is_begun(*recorded))
      return {};  // another one was faster, and has recorded it
    throw IoError(
        fmt::format("share {}: the finished work of its shards was removed or started over in the "
                    "meantime; run the command of every shard again",
                    output_.string()));
  }
  auto missing = missing_shares(output_, *run);
  if (!missing.empty()) return missing;
  std::vector<std::string> states, counts;
  for (std::int64_t number = 1; number <= shard_.count; ++number)
    if (const auto journal = journal_of(number)) {
      states.push_back(journal->last.file);
      counts.push_back(journal->last.counts);
    }
  prepare();
  if (!run->has_name) try {
      imageio::resume_image(output_, spec_, imageio::joined_states(output_, states))->close();
    } catch (const imageio::LeftoverChanged&) {
      missing = forget_changed_shares(log);
      if (missing.empty()) throw;
      return missing;
    }
  record(counts);
  lock.finish();
  return {};
}

}  // namespace synthoscope::jobs
