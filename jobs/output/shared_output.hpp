// SPDX-License-Identifier: MIT
// jobs/output/shared_output.hpp — an output that several processes write, each a shard of the
// steps.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "imageio/run/journal.hpp"
#include "imageio/run/shared_image.hpp"
#include "jobs/output/resumable_output.hpp"
#include "multigpu/shard.hpp"

namespace synthoscope::jobs {

/// The command line that starts or resumes a shard, and the folder in which it was typed.
std::string command_record(const std::vector<std::string>& words);

/// The shares of a file that are not done. @throws IoError
std::vector<std::int64_t> missing_shares(const std::filesystem::path& output,
                                         const imageio::SharedRun& run);

/// Forgets a run in frequency parts that some of its processes have not finished: what the others
/// made of it is of no use, because each needs the parts of all.
/// @throws IoError  a process is at it still, or the folder cannot be written.
void forget_unfinished_parts(const std::filesystem::path& output);

/// A file and the journal of one of its shards. The first process creates the file, the others
/// follow its plan; the last one to finish renames the file. Each resumes its shard after an
/// earlier process.
class SharedOutput {
 public:
  /// Waits for the lock of the file and holds it until `open`.
  /// @param anew  discards what earlier processes made
  /// @throws InvalidSpec  the file was started with another number of shards.  @throws IoError
  SharedOutput(const std::filesystem::path& output, const Shard& shard, bool anew);

  /// What the first process decided; nothing for the first.
  [[nodiscard]] const std::optional<imageio::SharedRun>& begun() const { return begun_; }

  /// The file is whole and recorded: nothing is left to be done.
  [[nodiscard]] bool is_done() const { return is_done_; }

  /// Creates the file unless another shard did. If the finished pieces of this shard were changed,
  /// it is begun anew with a warning. `steps` is the number of steps of the plan. `counts` returns
  /// what the caller has counted since the run began, and is called after every step. `command` is
  /// the command line.
  /// @throws as create_image and resume_image; IoError where another process does this shard.
  void open(imageio::ImageSpec spec, const ResumableRequest& request, std::int64_t steps,
            const ResumeChoice& choice, Log& log, std::function<std::string()> counts,
            const std::vector<std::string>& command);

  /// Journal of an earlier process of this shard; empty if there was none.
  [[nodiscard]] const std::string& earlier_counts() const { return earlier_counts_; }
  [[nodiscard]] Sink& sink() { return *file_; }
  [[nodiscard]] Checkpoint& checkpoint() { return *steps_; }

  /// Does `body`, which makes the share, unless the file is whole. Where it fails, what is finished
  /// stays, and the failure says so.
  void make_share(const std::function<void()>& body);

  /// If all shares are done and still as they were written, calls `prepare`, which may be
  /// interrupted, gives the file its name and has it recorded, from what all shares have counted.
  /// `log` is warned of shares that were changed. @returns the shares that are not done
  /// @throws IoError  what was begun is gone, and no file that is whole came of it.
  std::vector<std::int64_t> close_if_whole(
      Log& log, const std::function<void()>& prepare,
      const std::function<void(const std::vector<std::string>&)>& record);

 private:
  /// Returns whether it is what this process began or joined.
  [[nodiscard]] bool is_begun(const imageio::SharedRun& run) const;
  [[nodiscard]] std::optional<imageio::UnfinishedRun> journal_of(std::int64_t number) const;
  void open_file(std::optional<imageio::UnfinishedRun>& earlier, Log& log);
  [[nodiscard]] std::vector<std::int64_t> forget_changed_shares(Log& log) const;

  std::filesystem::path output_;
  Shard shard_;
  std::optional<imageio::SharedFileLock> file_lock_;
  std::optional<imageio::SharedRun> begun_;
  std::optional<imageio::ShareLock> share_lock_;
  imageio::ImageSpec spec_;
  bool is_done_ = false;
  std::string earlier_counts_;
  std::unique_ptr<imageio::ImageFile> file_;
  std::unique_ptr<imageio::Journal> journal_;  ///< goes first: it refers to the file
  std::unique_ptr<Checkpoint> steps_;
};

}  // namespace synthoscope::jobs
