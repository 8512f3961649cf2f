// SPDX-License-Identifier: MIT
// jobs/output/resumable_output.hpp — an output that is resumed after its run was interrupted.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include "core/base/log.hpp"
#include "fftconv/plan.hpp"
#include "imageio/run/journal.hpp"

namespace synthoscope::jobs {

/// Whether an output is resumed, and what of it stays where its run fails.
struct ResumeChoice {
  bool resume = false;
  bool keeps = true;  ///< after a failure, what is finished stays with its journal
  static constexpr double kDefaultSeconds = 1;
  double every_seconds = kDefaultSeconds;  ///< between records of the journal

  /// Returns what an earlier run left of the file `written`, which may have become `output` since,
  /// if it is to be resumed; a note says what happens to it. @throws what read_journal throws.
  [[nodiscard]] std::optional<imageio::UnfinishedRun> find_unfinished(
      const std::filesystem::path& written, const std::filesystem::path& output, Log& log) const;

  /// Warns of a plan that finishes nothing before its end, if one of these options is given.
  void warn_unless_resumable(const fftconv::Plan& plan, Log& log) const;
};

/// What a run is asked to do, and how: both must be the same when it is resumed.
struct ResumableRequest {
  std::string request;  ///< JSON object
  fftconv::Plan plan;
};

/// A file that is written together with its journal, or without one if nothing is to stay.
class ResumableOutput {
 public:
  /// Resumes the file of `unfinished`, or creates a new one. If the unfinished file was changed, it
  /// is begun anew with a warning. `counts` returns what the caller has counted since the run
  /// began, and is called after every step. @throws as create_image and resume_image.
  ResumableOutput(const std::filesystem::path& written, const imageio::ImageSpec& spec,
                  const ResumableRequest& request, const imageio::UnfinishedRun* unfinished,
                  const ResumeChoice& choice, Log& log, std::function<std::string()> counts);

  /// What the resumed run had counted; empty for a new run.
  [[nodiscard]] const std::string& earlier_counts() const { return earlier_counts_; }

  /// The file has its name already: there is nothing to compute.
  [[nodiscard]] bool is_whole() const { return file_ == nullptr; }
  [[nodiscard]] Sink& sink() { return *file_; }
  /// Null if nothing is to stay.
  [[nodiscard]] Checkpoint* checkpoint() { return journal_.get(); }
  void close();

  /// Does all that makes the result. Where `body` fails, what is finished stays and the failure
  /// says so, except where the result itself is refused (InvalidInput, VerificationFailed); then
  /// and at the end, the journal goes.
  void complete(const std::function<void()>& body);

 private:
  bool keep_partial() const;  ///< @returns whether anything stays
  void remove_partial() const;

  std::filesystem::path written_;
  std::string earlier_counts_;
  std::unique_ptr<imageio::ImageFile> file_;
  std::unique_ptr<imageio::Journal> journal_;  ///< goes first: it refers to the file
};

}  // namespace synthoscope::jobs
