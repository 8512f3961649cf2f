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

/// Resources and talk; nothing here changes a result.
struct RunOptions {
  std::optional<int> threads;                ///< environment, then the cores there are
  std::optional<std::int64_t> memory_bytes;  ///< 70 % of what is available
  std::filesystem::path log_file;            ///< none if empty
  ProgressStyle progress = ProgressStyle::automatic;
  bool quiet = false, verbose = false, json = false;
  bool silent = false;  ///< of processes for which another one speaks; no option

  /// The options of a command that plans: all of them.
  void describe(OptionTable& table);
  /// For a command whose work has one stage: without --verbose.
  void describe_for_one_stage(OptionTable& table);
  /// For a command that also holds no counted buffers: without --memory.
  void describe_without_memory(OptionTable& table);
  /// For a command that has no work for several threads: without --threads as well.
  void describe_talk(OptionTable& table);

  /// Says how the console is to talk.
  void configure(Console& console) const;

 private:
  void describe_threads(OptionTable& table);
  void describe_memory(OptionTable& table);
};

/// Threads by --threads, else SLURM_CPUS_PER_TASK, else OMP_NUM_THREADS, else all cores that this
/// process may use. An environment variable that is no positive number is warned about and passed
/// over.
int threads_of(const RunOptions& options, Log& log);

/// Returns the bytes that the program holds in addition to counted buffers: what is resident now,
/// and what stacks, threads, reading and the allocator need during the run. In large steps, so that
/// equal commands are planned alike.
std::int64_t program_bytes();

/// Owns what a RunContext refers to. All of --memory that the program itself needs is in use from
/// the start.
class Session {
 public:
  Session(const RunOptions& options, const Invocation& invocation);
  [[nodiscard]] const RunContext& context() const { return workspace_.context(); }
  [[nodiscard]] jobs::Workspace& workspace() { return workspace_; }
  [[nodiscard]] TaskPool& pool() { return pool_; }
  [[nodiscard]] const MemoryBudget& memory() const { return memory_; }

 private:
  int threads_;
  tbb::global_control allowed_;  ///< as many as asked for, also beyond the cores there are
  TaskPool pool_;
  MemoryBudget memory_;
  jobs::Workspace workspace_;
};

}  // namespace synthoscope::tools
