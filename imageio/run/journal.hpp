// SPDX-License-Identifier: MIT
// imageio/run/journal.hpp — a file that lists the finished steps of an unfinished result.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include "core/run/checkpoint.hpp"
#include "imageio/create.hpp"

namespace synthoscope::imageio {

/// A record of a journal: the progress of a run.
struct JournalEntry {
  IntervalSet finished;  ///< numbers of finished steps
  std::string file;      ///< state that ImageFile::checkpoint returned after these steps
  std::string counts;    ///< text of the caller, such as numbers of clipped voxels
};

/// The state of an interrupted run, from which it can be resumed.
struct UnfinishedRun {
  std::string request;     ///< JSON object of what the run was asked to do, inputs included
  std::string plan;        ///< how it was to be done; as the caller wrote it
  JournalEntry last;       ///< the last entry that can be trusted
  bool is_whole = false;   ///< the file has its final name; only later work is missing
  std::int64_t bytes = 0;  ///< of the journal up to its last whole record
};

/// Returns a text that differs after each boot of the machine. Data that was not synced may be lost
/// in a boot.
std::string boot_id();

/// Reads the journal of the unfinished `output`. Ignores an incomplete last record, and entries
/// that an earlier boot of the machine did not sync. The file may have been renamed to `named`
/// since it was whole. `journal` is its path, if that is not journal_path(output).
/// @returns nothing if no run can be resumed: no journal, no valid entry, or no file.
/// @throws InvalidSpec  another version wrote the journal.
/// @throws IoError
std::optional<UnfinishedRun> read_journal(const std::filesystem::path& output,
                                          const std::filesystem::path& named,
                                          const std::string& boot = boot_id(),
                                          std::filesystem::path journal = {});

/// @throws InvalidSpec  the two JSON objects differ: names the first key that does, with both
///                      values, and how to begin `anew`.
void require_same_request(const std::filesystem::path& output, const std::string& then,
                          const std::string& now, std::string_view anew = "leave --resume out");

/// Keeps the journal of a file that is being written: OUTPUT.partial.journal, one record a line
/// with its checksum. A record is written after the data that it describes. The destructor removes
/// the file unless keep_for_resume was called.
class Journal final : public Checkpoint {
 public:
  struct Settings {
    std::chrono::duration<double> every{1};        ///< a record at most this often
    std::chrono::duration<double> sync_every{30};  ///< most work that a power loss costs
    std::string boot = boot_id();
    std::filesystem::path path = {};  ///< of the journal; empty: journal_path(output)
  };

  /// @param counts   queried after every step
  /// @param file     its checkpoint() is called whenever a record is due
  /// @param earlier  the result of read_journal, if the run is resumed
  /// Writes nothing before the first step is finished.
  Journal(std::filesystem::path output, std::string request, std::string plan, ImageFile& file,
          std::function<std::string()> counts, const UnfinishedRun* earlier, Settings settings);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() override;

  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override;
  void finish(const IntervalSet& steps) override;
  [[nodiscard]] bool is_due() const override;

  /// Builds and syncs the file and records that it is whole, also for runs without steps. Is called
  /// before the file is closed. @throws IoError, Interrupted
  void finish_file();

  /// Records this share of a shared file as done, and syncs its finished steps, so that every
  /// machine can rely on the record. @throws IoError
  void finish_share();

  /// Ends an unfinished run, or a finished share of a file. Keeps file and journal if at least one
  /// step is recorded or the file has its name. Writes a last record if that is possible and
  /// nothing was written since the last step. Keeps nothing after a failed sync, because the
  /// content of the disk is unknown.
  /// @returns whether file and journal are kept
  bool keep_for_resume() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  void begin();
  void open();
  void put(const std::string& text);
  void sync_file();
  void record(bool is_whole, bool is_last = false);

  std::filesystem::path output_, path_;
  std::string request_, plan_;
  ImageFile& file_;
  std::function<std::string()> counts_;
  Settings settings_;
  int descriptor_ = -1;
  std::int64_t bytes_ = 0;
  JournalEntry last_;         ///< its `file` is empty until checkpoint() is called for a record
  std::int64_t written_ = 0;  ///< ImageFile::written after the last step
  std::int64_t recorded_steps_ = 0;  ///< how many
  Clock::time_point recorded_at_{}, synced_at_ = Clock::now();
  bool left_ = false, is_doubted_ = false;
};

}  // namespace synthoscope::imageio
