// SPDX-License-Identifier: MIT
#include "tools/options/run.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include "core/base/round_up.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

/// The first number of an environment variable such as "4" or "4,2"; nothing if it is not set.
std::optional<int> threads_from(const char* variable, Log& log) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  const std::string_view all{text};
  try {
    return static_cast<int>(parse_whole(all.substr(0, all.find(',')), 1, 1 << 16));
  } catch (const InvalidSpec&) {
    log.warn(
        fmt::format("{} is '{}', which is not a number of threads; it is ignored", variable, text));
    return std::nullopt;
  }
}

std::int64_t budget_of(const RunOptions& options) {
  if (options.memory_bytes) return *options.memory_bytes;
  return available_memory_bytes() / 10 * 7;
}

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

}  // namespace

void RunOptions::describe(OptionTable& table) {
  describe_for_one_stage(table);
  table.add(switch_row("verbose", verbose, "print more: the plan, stages and their times"));
}

void RunOptions::describe_for_one_stage(OptionTable& table) {
  describe_threads(table);
  describe_memory(table);
  describe_output(table);
}

void RunOptions::describe_without_memory(OptionTable& table) {
  describe_threads(table);
  describe_output(table);
}

void RunOptions::describe_threads(OptionTable& table) {
  table.group("Running");
  table.add(whole_row("threads", "N", threads, 1,
                      "SLURM_CPUS_PER_TASK, otherwise OMP_NUM_THREADS, otherwise all cores",
                      "threads to use; the result does not depend on it"));
}

void RunOptions::describe_memory(OptionTable& table) {
  table.add({"memory", "SIZE", "70 % of the available memory", "",
             "hard limit for memory, as 512M, 8G or bytes",
             [this](std::string_view text) { memory_bytes = parse_bytes(text); }});
}

void RunOptions::describe_output(OptionTable& table) {
  table.add(choice_row("progress", progress, kProgressStyleNames,
                       "how to show progress on standard error: auto is tty on a terminal, "
                       "otherwise none; json prints one object per line"));
  table.add(switch_row("json", json, "print one JSON object on standard output as the result"));
  table.add(switch_row("quiet", quiet, "print only results, warnings and errors"));
  table.add(path_row("log-file", "F", log_file,
                     "append every note, warning and error with its time, and how long stages "
                     "took, to this file; several processes may share it"));
  table.before_run([this](const Invocation& invocation, imageio::RunFiles& files) {
    configure(invocation.console);
    files.add_log(log_file);
    files.check();
    if (!log_file.empty())
      invocation.console.keep_log(log_file,
                                  fmt::format("{}", fmt::join(invocation.command_line, " ")));
  });
}

void RunOptions::configure(Console& console) const {
  console.configure(progress, silent  ? Verbosity::silent
                              : quiet ? Verbosity::quiet
                                      : Verbosity::normal);
}

int threads_of(const RunOptions& options, Log& log) {
  if (options.threads) return *options.threads;
  for (const char* variable : {"SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"})
    if (const auto threads = threads_from(variable, log)) return *threads;
  return available_threads();
}

std::int64_t program_bytes() {
  // Measured: below 3 MiB with one thread, and some tens of KiB for each thread
  constexpr std::int64_t kAllowance = 4 * kMiB, kPerThread = kMiB / 8, kStep = 8 * kMiB;
  ::malloc_trim(0);  // what a plan that was refused had is free, and does not count
  const std::int64_t bytes = anonymous_bytes() + kAllowance + available_threads() * kPerThread;
  return round_up(bytes, kStep);
}

Session::Session(const RunOptions& options, const Invocation& invocation)
    : threads_{threads_of(options, invocation.console)},
      allowed_{tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(std::max(threads_, available_threads()))},
      pool_{threads_},
      memory_{budget_of(options), program_bytes()},
      workspace_{{pool_, memory_, invocation.console, invocation.console, invocation.stop},
                 program_bytes,
                 invocation.clock.watch()} {
  options.configure(invocation.console);  // who is silent is known by now
  invocation.clock.watch().lap("start");
}

}  // namespace synthoscope::tools
