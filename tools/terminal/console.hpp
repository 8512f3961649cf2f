// SPDX-License-Identifier: MIT
// tools/terminal/console.hpp — what is printed on the terminal apart from results: messages and a
// line of progress.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/log.hpp"
#include "core/base/names.hpp"
#include "core/base/progress.hpp"
#include "tools/terminal/log_file.hpp"

namespace synthoscope::tools {

/// automatic: as `tty` if standard error is a terminal, otherwise as `none`. json: one object a
/// line, {"stage", "done", "total", "seconds"}, at most ten a second, plus the first and the last
/// of a stage; messages are objects as well: {"warning": "..."}.
enum class ProgressStyle { automatic, tty, json, none };
inline constexpr NameTable<ProgressStyle, 4> kProgressStyleNames{{
    {ProgressStyle::automatic, "auto"},
    {ProgressStyle::tty, "tty"},
    {ProgressStyle::json, "json"},
    {ProgressStyle::none, "none"},
}};

enum class Verbosity { silent, quiet, normal };

/// Everything that is said on standard error. Thread-safe.
class Console final : public Log, public Progress {
 public:
  Console();
  ~Console() override;

  /// quiet: warnings and errors alone; silent: errors.
  void configure(ProgressStyle style, Verbosity verbosity);

  /// From now on all that is said is appended to `file`, whatever the verbosity, and how long every
  /// stage took; the line of progress is not. A log that fails later is warned of, once.
  /// @throws what LogFile does.
  void keep_log(const std::filesystem::path& file, std::string_view command_line);

  /// A sentence that was said already is not said again.
  void say(Severity severity, std::string_view sentence) override;
  void begin(std::string_view stage, std::int64_t total) override;
  void advance(std::int64_t units) override;

  /// Prints several lines that a person has requested.
  void text(std::string_view lines);
  void error(std::string_view sentence);

  /// Takes the line of progress away, before results are printed.
  void finish();

  /// The last line of the log: the run is over.
  void end(int exit_code);

  [[nodiscard]] std::vector<std::string> warnings() const;

  /// The largest anonymous resident memory in bytes, sampled with progress, at most every ten
  /// milliseconds.
  [[nodiscard]] std::int64_t peak_anonymous_bytes() const;

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::string_view line);
  void print(std::string_view kind, std::string_view sentence);
  void print_warning(std::string_view sentence);
  void log(std::string_view kind, std::string_view sentence);
  void end_stage();
  void draw(bool always);
  void erase();
  void sample_memory(bool always);

  mutable std::mutex mutex_;
  ProgressStyle style_ = ProgressStyle::none;
  Verbosity verbosity_ = Verbosity::normal;
  bool colour_ = false, drawn_ = false;
  std::string stage_;
  std::int64_t done_ = 0, total_ = 0;
  Clock::time_point began_{}, drew_{}, sampled_{};
  std::int64_t peak_anonymous_ = 0;
  std::vector<std::string> warnings_;
  std::set<std::string, std::less<>> notes_;
  std::optional<LogFile> log_;
  Clock::time_point opened_{};
};

/// "blur  [######------]  50 %  312/s  4 s left" for a stage that took `seconds` so far.
std::string progress_line(std::string_view stage, std::int64_t done, std::int64_t total,
                          double seconds, bool colour);

}  // namespace synthoscope::tools
