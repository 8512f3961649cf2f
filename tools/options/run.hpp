// SPDX-License-Identifier: MIT
// tools/options/run.hpp — options of every command that computes, and the session they open.
#pragma once
#include <tbb/global_control.h>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "jobs/machine/workspace.hpp"
#include "tools/options/command.hpp"

namespace synthoscope::tools {

/// Resources and messages; no option here changes a result.
struct RunOptions {
  std::optional<int> threads;                ///< default: the environment, then all cores
  std::optional<std::int64_t> memory_bytes;  ///< default: 70 % of the available memory
  std::filesystem::path log_file;            ///< none if empty
  ProgressStyle progress = ProgressStyle::automatic;
  bool quiet = false, verbose = false, json = false;
  bool silent = false;  ///< no option: another process prints the messages of this one

  /// Adds all options: for a command that plans.
  void describe(OptionTable& table);
  /// Adds all options but --verbose: for a command whose work has one stage.
  void describe_for_one_stage(OptionTable& table);
  /// Adds all but --verbose and --memory: for a command without counted buffers.
  void describe_without_memory(OptionTable& table);
  /// Adds only the options of messages: for a command without work for several threads.
  void describe_output(OptionTable& table);

  /// Sets what the console prints.
  void configure(Console& console) const;

 private:
  void describe_threads(OptionTable& table);
  void describe_memory(OptionTable& table);
};

/// Returns the number of threads: --threads, otherwise SLURM_CPUS_PER_TASK, otherwise
/// OMP_NUM_THREADS, otherwise all cores that this process may use. A variable that is not a
/// positive number is ignored with a warning.
int threads_of(const RunOptions& options, Log& log);

/// Returns the bytes that the program uses in addition to counted buffers: those that are resident
/// now, and those that stacks, threads, reading and the allocator need during the run. Rounded to
/// large steps, so that equal commands have equal plans.
std::int64_t program_bytes();

/// Owns the threads and the memory budget of a RunContext. The memory of the program itself counts
/// against --memory from the start.
class Session {
 public:
  Session(const RunOptions& options, const Invocation& invocation);
  [[nodiscard]] const RunContext& context() const { return workspace_.context(); }
  [[nodiscard]] jobs::Workspace& workspace() { return workspace_; }
  [[nodiscard]] TaskPool& pool() { return pool_; }
  [[nodiscard]] const MemoryBudget& memory() const { return memory_; }

 private:
  int threads_;
  tbb::global_control allowed_;  ///< as many threads as requested, even more than cores
  TaskPool pool_;
  MemoryBudget memory_;
  jobs::Workspace workspace_;
};

}  // namespace synthoscope::tools
