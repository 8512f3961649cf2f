// SPDX-License-Identifier: MIT
#include "tools/terminal/console.hpp"
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "core/system/system_failure.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::chrono::milliseconds kRedraw{100}, kSample{10};

std::string time_left(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

bool wants_colour() {
  const char* refused = std::getenv("NO_COLOR");
  return !(refused && *refused) && isatty(STDERR_FILENO);
}

/// A run does not end because its messages cannot be written.
void put(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

std::string progress_line(std::string_view stage, std::int64_t done, std::int64_t total,
                          double seconds, bool colour) {
  constexpr int kWidth = 30;
  if (total <= 0) return fmt::format("{:<18} {}", stage, done);
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '-');
  std::string line = fmt::format("{:<18} {}[{}]{} {:3.0f} %", stage, colour ? "\x1b[32m" : "", bar,
                                 colour ? "\x1b[0m" : "", std::floor(share * 100));
  if (seconds > 0 && done > 0) {
    const double rate = static_cast<double>(done) / seconds;
    line += fmt::format("  {:.{}f}/s", rate, rate < 10 ? 1 : 0);
    if (done < total)
      line += fmt::format("  {} left", time_left(static_cast<double>(total - done) / rate));
  }
  return line;
}

Console::Console() : colour_{wants_colour()} {}

Console::~Console() {
  finish();
}

void Console::configure(ProgressStyle style, Verbosity verbosity) {
  const std::lock_guard lock{mutex_};
  verbosity_ = verbosity;
  style_ = style;
  if (style == ProgressStyle::automatic)
    style_ = isatty(STDERR_FILENO) ? ProgressStyle::tty : ProgressStyle::none;
  if (verbosity != Verbosity::normal) style_ = ProgressStyle::none;
}

void Console::print(std::string_view line) {
  erase();
  put(fmt::format("{}\n", line));
}

void Console::print(std::string_view kind, std::string_view sentence) {
  if (style_ == ProgressStyle::json)
    print(visible_line(text_of(Json{{std::string{kind}, sentence}})));
  else
    print(fmt::format("synthoscope: {}: {}", kind, visible_line(sentence)));
}

void Console::print_warning(std::string_view sentence) {
  warnings_.emplace_back(sentence);
  if (verbosity_ != Verbosity::silent) print("warning", sentence);
}

void Console::log(std::string_view kind, std::string_view sentence) {
  if (!log_) return;
  const int failure = log_->add(kind, sentence);
  if (failure == 0) return;
  const std::string lost = fmt::format("write the log {}: {}; the run continues without it",
                                       log_->path().string(), cause_of(failure));
  log_.reset();
  print_warning(lost);
}

void Console::keep_log(const std::filesystem::path& file, std::string_view command_line) {
  const std::lock_guard lock{mutex_};
  log_.emplace(file, command_line);
  opened_ = Clock::now();
}

void Console::say(Severity severity, std::string_view sentence) {
  const std::lock_guard lock{mutex_};
  if (severity == Severity::warning) {
    if (std::find(warnings_.begin(), warnings_.end(), sentence) != warnings_.end()) return;
    print_warning(sentence);
    log("warning", sentence);
  } else {
    if (!notes_.emplace(sentence).second) return;
    const bool is_detail = severity == Severity::detail;
    if (!is_detail && verbosity_ == Verbosity::normal) print("note", sentence);
    log(is_detail ? "detail" : "note", sentence);
  }
}

void Console::text(std::string_view lines) {
  const std::lock_guard lock{mutex_};
  if (style_ == ProgressStyle::json)
    print("text", lines);
  else
    print(visible_lines(lines));
}

void Console::error(std::string_view sentence) {
  const std::lock_guard lock{mutex_};
  print("error", sentence);
  end_stage();
  log("error", sentence);
}

void Console::end(int exit_code) {
  const std::lock_guard lock{mutex_};
  end_stage();
  log("end", fmt::format("exit code {} after {:.3f} s", exit_code, seconds_since(opened_)));
}

void Console::end_stage() {
  if (!stage_.empty())
    log("stage",
        total_ > 0
            ? fmt::format("{}: {} of {} in {:.3f} s", stage_, done_, total_, seconds_since(began_))
            : fmt::format("{}: {} in {:.3f} s", stage_, done_, seconds_since(began_)));
  stage_.clear();
}

void Console::begin(std::string_view stage, std::int64_t total) {
  const std::lock_guard lock{mutex_};
  end_stage();
  stage_ = visible_line(stage);
  done_ = 0;
  total_ = total;
  began_ = Clock::now();
  sample_memory(true);
  draw(true);
}

void Console::advance(std::int64_t units) {
  const std::lock_guard lock{mutex_};
  done_ += units;
  sample_memory(done_ == total_);
  draw(done_ == total_);
}

void Console::sample_memory(bool always) {
  const auto now = Clock::now();
  if (!always && now - sampled_ < kSample) return;
  sampled_ = now;
  peak_anonymous_ = std::max(peak_anonymous_, anonymous_bytes());
}

void Console::draw(bool always) {
  const auto now = Clock::now();
  if (style_ == ProgressStyle::none || (!always && now - drew_ < kRedraw)) return;
  drew_ = now;
  const double seconds = seconds_since(began_);
  if (style_ == ProgressStyle::json) {
    const Json object{{"stage", stage_}, {"done", done_}, {"total", total_}, {"seconds", seconds}};
    put(text_of(object) + '\n');
    return;
  }
  put("\r\x1b[K" + progress_line(stage_, done_, total_, seconds, colour_));
  std::fflush(stderr);
  drawn_ = true;
}

void Console::erase() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

void Console::finish() {
  const std::lock_guard lock{mutex_};
  erase();
  end_stage();
  std::fflush(stderr);
}

std::int64_t Console::peak_anonymous_bytes() const {
  const std::lock_guard lock{mutex_};
  return peak_anonymous_;
}

std::vector<std::string> Console::warnings() const {
  const std::lock_guard lock{mutex_};
  return warnings_;
}

}  // namespace synthoscope::tools
