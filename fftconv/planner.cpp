// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include "core/memory_budget.hpp"
#include "fftconv/cost.hpp"
#include "fftconv/layout.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {
namespace {

/// A 2-D image is one plane: its rows become planes of one row, so that there is something to
/// hand out to threads and no padding along y.
Problem work_problem(const Problem& problem) {
  Problem work = problem;
  if (problem.image.z == 1 && problem.kernel.z == 1) {
    std::swap(work.image.z, work.image.y);
    std::swap(work.kernel.z, work.kernel.y);
    std::swap(work.center.z, work.center.y);
  }
  return work;
}

std::int64_t total(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

/// The cheapest transform that is long enough on every axis.
Candidate cheapest_in_core(const Problem& work) {
  const Layout least = make_layout(work, {1, 1, 2});
  Candidate best;
  best.cost = std::numeric_limits<double>::infinity();
  for (const std::int64_t t : candidate_lengths(least.z.min_length))
    for (const std::int64_t y : candidate_lengths(least.y.min_length))
      for (const std::int64_t half : candidate_lengths((least.x.min_length + 1) / 2)) {
        const Extent3 transform{t, y, 2 * half};
        const Layout layout = make_layout(work, transform);
        const double cost = run_cost(layout, work);
        if (cost < best.cost) {
          best.cost = cost;
          best.transform = transform;
          best.memory_bytes = total(memory_of(layout, work));
        }
      }
  return best;
}

}  // namespace

std::int64_t Plan::memory_bytes() const {
  return total(memory);
}

Plan plan_convolution(const Problem& problem, const Machine& machine, Strategy wanted) {
  require_valid(problem);
  if (wanted != Strategy::automatic && wanted != Strategy::in_core)
    throw PlanError(fmt::format(
        "plan the convolution: strategy {} is not part of this version; use auto or in-core",
        name_of(wanted)));

  Plan plan;
  plan.problem = problem;
  plan.work = work_problem(problem);
  plan.machine = machine;

  Candidate in_core = cheapest_in_core(plan.work);
  if (in_core.memory_bytes > machine.host_bytes)
    throw PlanError(fmt::format(
        "plan the convolution of {} with {}: in-core needs {}, the budget is {}; give --memory {} "
        "or more, or use a smaller image",
        problem.image, problem.kernel, print_bytes(in_core.memory_bytes),
        print_bytes(machine.host_bytes), print_bytes(in_core.memory_bytes)));
  in_core.verdict = "chosen";

  plan.strategy = in_core.strategy;
  plan.transform = in_core.transform;
  plan.memory = memory_of(make_layout(plan.work, plan.transform), plan.work);
  plan.candidates.push_back(in_core);
  return plan;
}

}  // namespace synthoscope::fftconv
