// SPDX-License-Identifier: MIT
#include "jobs/output/resumable_output.hpp"
#include <fmt/format.h>
#include <exception>
#include "core/base/error.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {

void keep_finished(const std::function<void()>& body, const std::function<bool()>& keep,
                   std::string_view how) {
  const auto told = [&](const std::exception& failure) {
    return fmt::format("{}; the finished part is kept: {}", failure.what(), how);
  };
  try {
    body();
  } catch (const Interrupted& failure) {
    if (keep()) throw Interrupted(told(failure));
    throw;
  } catch (const imageio::OutputLost&) {  // nothing is left to resume from
    throw;
  } catch (const imageio::NameTaken&) {  // nothing is left to do
    throw;
  } catch (const imageio::InputChanged&) {  // finished work may belong to another input
    throw;
  } catch (const IoError& failure) {
    if (keep()) throw IoError(told(failure));
    throw;
  } catch (const PlanError& failure) {  // less memory than the plan counts on: another day
    if (keep()) throw PlanError(told(failure));
    throw;
  } catch (const CudaError& failure) {  // a GPU fails the same way again; the host may still
                                        // succeed
    if (keep()) std::throw_with_nested(CudaError(told(failure)));
    throw;
  } catch (...) {
    keep();
    throw;
  }
}

std::optional<imageio::UnfinishedRun> ResumeChoice::find_unfinished(
    const std::filesystem::path& written, const std::filesystem::path& output, Log& log) const {
  if (!(every_seconds >= 0))
    throw InvalidSpec(fmt::format("--journal-every: {} is below 0; give a number of seconds from 0",
                                  every_seconds));
  if (!resume) {
    std::error_code ignored;
    if (std::filesystem::exists(imageio::journal_path(written), ignored))
      log.note(
          fmt::format("starts {} from the beginning; with --resume the earlier run would continue",
                      written.string()));
    return std::nullopt;
  }
  auto unfinished = imageio::read_journal(written, output);
  if (!unfinished) {
    log.note(fmt::format("no unfinished run of {} was found; the run starts from the beginning",
                         written.string()));
    return std::nullopt;
  }
  const std::int64_t steps = unfinished->last.finished.count();
  log.note(fmt::format("resumes {} after {} finished step{}", written.string(), steps,
                       steps == 1 ? "" : "s"));
  return unfinished;
}

void ResumeChoice::warn_unless_resumable(const fftconv::Plan& plan, Log& log) const {
  if (!resume && every_seconds == kDefaultSeconds) return;
  const bool is_in_order = plan.problem.order == BoxOrder::any || fftconv::finishes_in_order(plan);
  if (plan.strategy != fftconv::Strategy::parts && is_in_order) return;
  log.note(fmt::format(
      "with the strategy {}, an interrupted run cannot be resumed: it starts from the beginning",
      name_of(plan.strategy)));
}

ResumableOutput::ResumableOutput(const std::filesystem::path& written,
                                 const imageio::ImageSpec& spec, const ResumableRequest& request,
                                 const imageio::UnfinishedRun* unfinished,
                                 const ResumeChoice& choice, Log& log,
                                 std::function<std::string()> counts)
    : written_{written} {
  if (unfinished) earlier_counts_ = unfinished->last.counts;
  if (unfinished && unfinished->is_whole) {
    std::error_code ignored;  // a kill may have left the chunks that the file was made of
    std::filesystem::remove(
        imageio::partial_path(imageio::chunk_log_path(imageio::file_of(written_))), ignored);
    return;
  }
  if (unfinished) try {
      file_ = imageio::resume_image(written, spec, unfinished->last.file);
    } catch (const imageio::LeftoverChanged&) {
      log.warn(
          fmt::format("the finished part of {} was changed after the earlier run; the run starts "
                      "from the beginning",
                      written.string()));
      unfinished = nullptr;
      earlier_counts_.clear();
    }
  if (!file_) file_ = imageio::create_image(written, spec);
  if (!choice.keeps) return;
  imageio::Journal::Settings settings;
  settings.every = std::chrono::duration<double>{choice.every_seconds};
  journal_ =
      std::make_unique<imageio::Journal>(written, request.request, fftconv::to_json(request.plan),
                                         *file_, std::move(counts), unfinished, settings);
}

void ResumableOutput::build() {
  if (journal_)
    journal_->finish_file();
  else
    file_->build();
}

void ResumableOutput::complete(const std::function<void()>& body) {
  bool is_refused = false;  // the same would come of it again
  const auto judged = [&] {
    try {
      body();
    } catch (const InvalidInput&) {
      is_refused = true;
      throw;
    } catch (const VerificationFailed&) {
      is_refused = true;
      throw;
    }
  };
  try {
    keep_finished(
        judged, [&] { return !is_refused && keep_partial(); },
        "the same command with --resume continues it");
  } catch (...) {
    if (is_refused) remove_partial();
    throw;
  }
  remove_partial();
}

bool ResumableOutput::keep_partial() const {
  return is_whole() || (journal_ && journal_->keep_for_resume());
}

/// If the file has its final name, only the journal remains; its object removes it.
void ResumableOutput::remove_partial() const {
  std::error_code ignored;
  if (is_whole())
    std::filesystem::remove(imageio::journal_path(written_), ignored);
  else
    file_->keep(false);
}

}  // namespace synthoscope::jobs
