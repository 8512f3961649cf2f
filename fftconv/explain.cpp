// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/memory_budget.hpp"
#include "fftconv/plan.hpp"

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

/// The planes, rows and columns that come out together.
std::string at_once(const Candidate& c) {
  return fmt::format("{}", c.cut.result);
}

}  // namespace

std::string explain(const Plan& plan) {
  const Problem& p = plan.problem;
  std::string text;
  text += fmt::format("{} of {} with a kernel of {} (z, y, x) centred on {}\n",
                      p.correlate ? "correlation" : "convolution", p.image, p.kernel, p.center);
  text += fmt::format("  boundary {}, shape {}, {} precision, result {}{}\n", name_of(p.boundary),
                      name_of(p.shape), name_of(p.precision), output_extent(p),
                      p.remove_mean ? ", image mean taken out" : "");
  text += fmt::format("  {}, transform {}{}\n", name_of(plan.strategy), plan.transform,
                      axes_text(plan));
  if (plan.strategy == Strategy::parts)
    text += fmt::format("  {} parts along {}, {}\n", plan.cut.parts,
                        plan.cut.along_y || p.image.z * p.kernel.z == 1 ? "y" : "z",
                        plan.cut.fold_on_device  ? "which the GPU folds and adds up"
                        : plan.cut.parts_on_disk ? "which wait on disk until all are there"
                                                 : "which wait in memory until all are there");
  else if (plan.strategy != Strategy::in_core)
    text += fmt::format("  {} result voxels at once{}\n", plan.cut.result,
                        plan.cut.keep_transfer ? ", the kernel's transfer function kept" : "");

  std::size_t width = 9;
  for (const Candidate& c : plan.candidates)
    width = std::max({width, fmt::format("{}", c.transform).size(), at_once(c).size()});
  const auto row = [&](auto strategy, auto transform, auto at_once, auto memory, auto read,
                       auto written, auto scratch, auto time, auto verdict) {
    text += fmt::format("  {:<8} {:>{}} {:>{}} {:>9} {:>9} {:>9} {:>9} {:>8}  {}\n", strategy,
                        transform, width, at_once, width, memory, read, written, scratch, time,
                        verdict);
  };
  text += '\n';
  row("strategy", "transform", "at once", "memory", "read", "written", "scratch", "time",
      "verdict");
  for (const Candidate& c : plan.candidates)
    row(name_of(c.strategy), fmt::format("{}", c.transform), at_once(c),
        print_bytes(c.memory_bytes), bytes_or_none(c.read_bytes), bytes_or_none(c.written_bytes),
        bytes_or_none(c.scratch_bytes), duration(c.seconds), c.verdict);
  const MachineRates& rates = plan.machine.rates;
  text +=
      fmt::format("  times for {} cores {}\n", rates.cores,
                  rates == MachineRates{}
                      ? "of the reference machine; synthoscope devices --measure measures this one"
                      : "as measured");

  const std::int64_t program = plan.machine.process_bytes;
  text +=
      fmt::format("\n  memory: {} of a budget of {}\n", print_bytes(plan.memory_bytes() + program),
                  print_bytes(plan.machine.host_bytes + program));
  for (const MemoryItem& item : plan.memory)
    text += fmt::format("    {:<27} {:>9}\n", item.what, print_bytes(item.bytes));
  if (program > 0)
    text += fmt::format("    {:<27} {:>9}\n", "the program and its stages", print_bytes(program));
  return text;
}

}  // namespace synthoscope::fftconv
