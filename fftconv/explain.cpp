// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <iterator>
#include "core/memory_budget.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

std::string explain(const Plan& plan) {
  const Problem& p = plan.problem;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} of {} with a kernel of {} (z, y, x) centred on {}\n",
                 p.correlate ? "correlation" : "convolution", p.image, p.kernel, p.center);
  fmt::format_to(out, "  boundary {}, shape {}, {} precision, result {}{}\n", name_of(p.boundary),
                 name_of(p.shape), name_of(p.precision), output_extent(p),
                 p.remove_mean ? ", image mean taken out" : "");
  fmt::format_to(out, "  transform {}{}\n", plan.transform,
                 plan.work == p ? "" : " (rows as planes, because the image is flat)");
  if (plan.strategy != Strategy::in_core)
    fmt::format_to(out, "  {} result voxels at once{}\n", plan.cut.result,
                   plan.cut.keep_transfer ? ", the kernel's transfer function kept" : "");
  fmt::format_to(out, "\n  {:<10} {:>16} {:>10} {:>14}  {}\n", "strategy", "transform", "memory",
                 "seconds", "verdict");
  for (const Candidate& c : plan.candidates)
    fmt::format_to(out, "  {:<10} {:>16} {:>10} {:>14.3g}  {}\n", name_of(c.strategy),
                   fmt::format("{}", c.transform), print_bytes(c.memory_bytes), c.seconds,
                   c.verdict);
  fmt::format_to(out, "\n  memory, of a budget of {}\n", print_bytes(plan.machine.host_bytes));
  for (const MemoryItem& item : plan.memory)
    fmt::format_to(out, "    {:<20} {:>10}\n", item.what, print_bytes(item.bytes));
  return text;
}

}  // namespace synthoscope::fftconv
