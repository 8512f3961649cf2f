// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/run/memory_budget.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/scaling.hpp"

namespace synthoscope::fftconv {
namespace {

/// "0.31 s", "5.2 min", "31 h": what a person plans a day with.
std::string duration(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{86400, "days"}, {3600, "h"}, {60, "min"}};
  for (const Unit& unit : kUnits)
    if (seconds >= 2 * unit.seconds)
      return fmt::format("{:.{}f} {}", seconds / unit.seconds,
                         seconds < 9.95 * unit.seconds ? 1 : 0, unit.name);
  return fmt::format("{:.{}f} s", seconds, seconds < 0.995 ? 2 : seconds < 9.95 ? 1 : 0);
}

std::string bytes_or_none(std::int64_t bytes) {
  return bytes == 0 ? "-" : print_bytes(bytes);
}

/// Which axes play which, where they are not their own.
std::string axes_text(const Plan& plan) {
  if (plan.cut.along_y) return " (rows as planes, because the parts lie along y)";
  return plan.work == plan.problem ? "" : " (rows as planes, because the image is flat)";
}

/// " on the host", where there is a choice.
std::string place_text(const Plan& plan) {
  if (plan.where == Place::gpu)
    return fmt::format(
        " on the GPU ({}){}", plan.machine.gpu->name,
        is_by_sums(plan.strategy)
            ? ""
            : fmt::format(", at most {} planes are transferred at once", plan.cut.batch_planes));
  return plan.machine.gpu ? " on the host" : "";
}

std::string_view library_text(FftLibrary library) {
  return library == FftLibrary::own ? "own transforms" : name_of(library);
}

/// The planes, rows and columns that come out together.
std::string at_once(const Candidate& c) {
  return fmt::format("{}", c.cut.result);
}

std::string transform_of(const Candidate& c) {
  return is_by_sums(c.strategy) ? "-" : fmt::format("{}", c.transform);
}

std::string_view fft_of(const Candidate& c) {
  return is_by_sums(c.strategy) ? "-" : name_of(c.cut.fft);
}

/// The candidates; what only a GPU has, only where one takes part, and the library only where there
/// is a choice.
std::string table_of(const Plan& plan) {
  const bool gpu = plan.machine.gpu.has_value();
  const bool libraries = plan.machine.has_fftw || plan.machine.fft;
  std::size_t width = 9;
  for (const Candidate& c : plan.candidates)
    width = std::max({width, fmt::format("{}", c.transform).size(), at_once(c).size()});
  std::string text;
  const auto row = [&](auto where, auto strategy, auto fft, auto transform, auto at_once,
                       auto memory, auto device, auto link, auto read, auto written, auto scratch,
                       auto time, auto verdict) {
    text += fmt::format("  {}{:<9} {}{:>{}} {:>{}} {:>9} {}{:>9} {:>9} {:>9} {:>8}  {}\n",
                        gpu ? fmt::format("{:<5} ", where) : "", strategy,
                        libraries ? fmt::format("{:<13} ", fft) : "", transform, width, at_once,
                        width, memory, gpu ? fmt::format("{:>10} {:>9} ", device, link) : "", read,
                        written, scratch, time, verdict);
  };
  row("where", "strategy", "fft", "transform", "at once", "memory", "GPU memory", "link", "read",
      "written", "scratch", "time", "verdict");
  for (const Candidate& c : plan.candidates)
    row(name_of(c.where), name_of(c.strategy), fft_of(c), transform_of(c), at_once(c),
        print_bytes(c.memory_bytes), bytes_or_none(c.device_bytes),
        bytes_or_none(c.up_bytes + c.down_bytes), bytes_or_none(c.read_bytes),
        bytes_or_none(c.written_bytes), bytes_or_none(c.scratch_bytes), duration(c.seconds),
        c.verdict);
  return text;
}

/// "  memory: 3 GiB of a budget of 8 GiB" and what it is for.
std::string memory_text(std::string_view whose, const std::vector<MemoryItem>& items,
                        std::int64_t used, std::int64_t budget) {
  std::string text =
      fmt::format("\n  {}: {} of a budget of {}\n", whose, print_bytes(used), print_bytes(budget));
  for (const MemoryItem& item : items)
    text += fmt::format("    {:<27} {:>9}\n", item.what, print_bytes(item.bytes));
  return text;
}

/// Predicted times on GPUs and on machines other than this one.
std::string scaling_text(const Plan& plan) {
  const auto runs = device::scaled_runs(plan, {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 8}, {8, 64}});
  if (runs.empty()) return "";
  std::string text = fmt::format("\n  {:>4}  {:>8}  {:>9}  {:>8}  waits for\n", "GPUs", "machines",
                                 "time", "speed-up");
  for (const device::ScaledRun& run : runs)
    text += fmt::format("  {:>4}  {:>8}  {:>9}  {:>8.1f}  {}\n", run.crew.gpus, run.crew.machines,
                        duration(run.seconds), runs.front().seconds / run.seconds, run.bound);
  return text;
}

std::string result_text(const Problem& p) {
  if (p.part == Box3{}) return fmt::format("{}", output_extent(p));
  return fmt::format("{}, a part that begins at {}", output_extent(p), p.part.origin);
}

}  // namespace

std::string explain(const Plan& plan) {
  const Problem& p = plan.problem;
  std::string text;
  text += fmt::format("{} of {} with a kernel of {} (z, y, x) centred on {}\n",
                      p.correlate ? "correlation" : "convolution", p.image, p.kernel, p.center);
  text += fmt::format("  boundary {}, shape {}, {} precision, result {}{}\n", name_of(p.boundary),
                      name_of(p.shape), name_of(p.precision), result_text(p),
                      p.remove_mean ? ", image mean subtracted" : "");
  text += fmt::format("  {}{}, {}{}\n", name_of(plan.strategy), place_text(plan),
                      is_by_sums(plan.strategy) ? "no transform"
                                                : fmt::format("transform {} by {}", plan.transform,
                                                              library_text(plan.cut.fft)),
                      axes_text(plan));
  if (plan.strategy == Strategy::parts)
    text +=
        fmt::format("  {} parts along {}, {}\n", plan.cut.parts,
                    plan.cut.along_y || p.image.z * p.kernel.z == 1 ? "y" : "z",
                    plan.cut.fold_on_device  ? "which the GPU computes and adds up"
                    : plan.cut.parts_on_disk ? "which stay on disk until the last one is done"
                                             : "which stay in memory until the last one is done");
  else if (plan.strategy != Strategy::in_core)
    text += fmt::format("  {} result voxels at once{}\n", plan.cut.result,
                        plan.cut.keep_transfer ? ", the kernel's transfer function kept" : "");

  text += '\n' + table_of(plan);
  const std::int64_t program = plan.machine.process_bytes;
  if (program > 0)
    text +=
        fmt::format("  memory without the program and its stages, which need {} of the budget\n",
                    print_bytes(program));
  const MachineRates& rates = plan.machine.rates;
  text +=
      fmt::format("  times for {} cores {}\n", rates.cores,
                  rates == MachineRates{}
                      ? "of a reference machine; synthoscope devices --measure measures this one"
                      : "as measured");

  if (plan.machine.gpu)
    text += fmt::format("  and for the GPU {}{}\n", plan.machine.gpu->name,
                        plan.machine.gpu->rates == kReferenceGpuRates ? ", at the rates of an H200"
                                                                      : ", as measured");

  text += memory_text("memory", plan.memory, plan.memory_bytes() + program,
                      plan.machine.host_bytes + program);
  if (program > 0)
    text += fmt::format("    {:<27} {:>9}\n", "the program and its stages", print_bytes(program));
  if (plan.where == Place::gpu)
    text += memory_text("memory of the GPU", plan.device_memory, plan.device_bytes(),
                        plan.machine.gpu->memory_bytes);
  text += scaling_text(plan);
  return text;
}

}  // namespace synthoscope::fftconv
