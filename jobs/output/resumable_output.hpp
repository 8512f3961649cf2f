// SPDX-License-Identifier: MIT
// jobs/output/resumable_output.hpp — an output that is kept after certain failures, so that its run
// can be resumed.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include "core/base/log.hpp"
#include "fftconv/plan.hpp"
#include "imageio/run/journal.hpp"

namespace synthoscope::jobs {

/// Runs `body`. If it fails, `keep` keeps what is finished and returns whether anything was kept.
/// If the failure is temporary (disk, memory, GPU or a stop), `how` is added to its message: "the
/// same command with --resume continues it". Nothing is kept after OutputLost, NameTaken and
/// InputChanged.
/// @throws what `body` throws
void keep_finished(const std::function<void()>& body, const std::function<bool()>& keep,
                   std::string_view how);

/// Whether an output is resumed, and whether its partial file is kept after a failure.
struct ResumeChoice {
  bool resume = false;
  bool keeps = true;  ///< partial file and journal are kept after a failure
  static constexpr double kDefaultSeconds = 1;
  double every_seconds = kDefaultSeconds;  ///< between records of the journal

  /// Returns the unfinished run that wrote `written`, which may have been renamed to `output`
  /// since; none if nothing is to be resumed. Logs a note that says which. @throws what
  /// read_journal throws.
  [[nodiscard]] std::optional<imageio::UnfinishedRun> find_unfinished(
      const std::filesystem::path& written, const std::filesystem::path& output, Log& log) const;

  /// Warns if an option of this struct is given, and `plan` finishes no step before its end.
  void warn_unless_resumable(const fftconv::Plan& plan, Log& log) const;
};

/// What a run is asked to do, and how: both must be the same when it is resumed.
struct ResumableRequest {
  std::string request;  ///< JSON object
  fftconv::Plan plan;
};

/// A file that is written together with its journal, or without one if no partial file is kept.
class ResumableOutput {
 public:
  /// Resumes the file of `unfinished`, or creates a new one. If the unfinished file was changed, it
  /// is begun anew with a warning. `counts` returns what the caller has counted since the run
  /// began, and is called after every step. @throws as create_image and resume_image.
  ResumableOutput(const std::filesystem::path& written, const imageio::ImageSpec& spec,
                  const ResumableRequest& request, const imageio::UnfinishedRun* unfinished,
                  const ResumeChoice& choice, Log& log, std::function<std::string()> counts);

  /// Returns the counts of the resumed run; empty for a new run.
  [[nodiscard]] const std::string& earlier_counts() const { return earlier_counts_; }

  /// Returns whether the file has its name already. Nothing is computed then.
  [[nodiscard]] bool is_whole() const { return file_ == nullptr; }
  [[nodiscard]] Sink& sink() { return *file_; }
  /// Returns the journal; null if no partial file is kept.
  [[nodiscard]] Checkpoint* checkpoint() { return journal_.get(); }
  /// Finishes the file when all voxels are written, as ImageFile::build.
  void build();
  /// Gives the finished file its name.
  void close() { file_->close(); }

  /// Calls `body`, which writes the result, and removes the journal at the end. If `body` fails,
  /// keeps partial file and journal and adds to the message how to resume; removes both if the
  /// result itself was refused (InvalidInput, VerificationFailed).
  void complete(const std::function<void()>& body);

 private:
  bool keep_partial() const;  ///< @returns whether it is kept
  void remove_partial() const;

  std::filesystem::path written_;
  std::string earlier_counts_;
  std::unique_ptr<imageio::ImageFile> file_;
  std::unique_ptr<imageio::Journal> journal_;  ///< is destroyed first: it refers to the file
};

}  // namespace synthoscope::jobs
