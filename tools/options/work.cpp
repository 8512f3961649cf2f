// SPDX-License-Identifier: MIT
// tools/options/work.cpp — options about how work is done.
#include "tools/options/work.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "multigpu/shard.hpp"
#include "tools/machine/cpu_fallback.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

using fftconv::FftLibrary;
using fftconv::Strategy;

namespace {

/// Refuses a library that this program was built without.
Option fft_row(std::optional<FftLibrary>& fft) {
  Option row = choice_row(
      "fft", fft, {FftLibrary::own, FftLibrary::fftw, FftLibrary::fftw_measured, FftLibrary::cufft},
      "the fastest on the host, own on a GPU",
      "compute by transforms, and by those of this library: own; fftw on the host, in a program "
      "that was built with it; cufft on a GPU. fftw-measured tries several algorithms once for "
      "each length and keeps what it finds in the cache folder; its results may differ in the "
      "last bits from machine to machine");
  row.take = [&fft, take = row.take](std::string_view text) {
    take(text);
    require_here(*fft, fmt::format("use the transforms of '{}'", text));
  };
  return row;
}

}  // namespace

void PlanOptions::describe(OptionTable& table) {
  describe_strategy(table);
  table.add(whole_row("parts", "R", parts, 0,
                      "number of frequency parts for strategy parts; 0: automatic"));
  table.add(
      path_row("plan", "FILE", file, "use the plan in this file, as printed by --dry-run --json"));
  describe_rest(table);
}

void PlanOptions::describe_for_several(OptionTable& table) {
  describe_strategy(table);
  describe_rest(table);
}

void PlanOptions::describe_strategy(OptionTable& table) {
  table.group("Plan");
  table.add(choice_row("strategy", strategy,
                       {Strategy::automatic, Strategy::in_core, Strategy::ring, Strategy::tiles,
                        Strategy::parts, Strategy::direct, Strategy::separable},
                       "how the work is divided, or direct sums without transforms; a strategy "
                       "that cannot be used is an error with the reason"));
  table.add(fft_row(fft));
}

void PlanOptions::describe_rest(OptionTable& table) {
  table.add(path_row(
      "scratch", "DIR", scratch,
      "folder for temporary data that do not fit in memory; default: the folder of the output"));
  table.add(switch_row("dry-run", dry_run, "print the plan and stop; nothing is written"));
  table.add(switch_row("explain", explain, "explain on standard error what is done and why"));
  gpu.describe(table);
}

void GpuOptions::describe_choice(OptionTable& table) {
  table.group("GPU");
  table.add(
      {"gpus", "auto|none|all|LIST", gpus, "",
       "auto: use a GPU if there is one and the plan is faster on it; none: do not; all, or a "
       "comma-separated list of numbers or uuids as printed by devices: use these, and report an "
       "error for work that they cannot do. convolve and simulate use all GPUs of the same kind",
       [this](std::string_view text) {
         if (text.empty())
           throw InvalidSpec("no GPU is named; write auto, none, all or a list such as 0,2");
         gpus = text;
       }});
  table.add({"gpu-memory", "SIZE", "90 % of the free GPU memory", "",
             "hard limit for the program's memory on each GPU, as 512M, 8G or bytes; memory that "
             "CUDA itself takes is not counted",
             [this](std::string_view text) { memory_bytes = parse_bytes(text); }});
}

void GpuOptions::describe(OptionTable& table) {
  describe_choice(table);
  // run_or_fall_back carries it out (tools/machine/cpu_fallback.hpp)
  table.add(switch_row(
      std::string{kAllowCpuFallback}, may_fall_back,
      "if a GPU fails or has too little memory, do all the work again on the host, with a warning; "
      "otherwise the run ends with exit code 6. Not with --plan, --resume, --shard, --mpi or a "
      "[sweep], whose results must all come from one kind of device"));
}

void ShardOptions::describe(OptionTable& table, const std::string& what) {
  table.group("Several processes");
  table.add({"shard", "I/N", "all of it", "",
             what + ". auto: the task of a Slurm array, or the rank of an MPI or Slurm job",
             [this](std::string_view text) {
               shard = multigpu::shard_named(text, multigpu::process_environment());
             }});
}

}  // namespace synthoscope::tools
