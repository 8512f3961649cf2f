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

std::int64_t total(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

/// All later sizes in bytes then fit in 63 bits, for any transform that is considered.
void require_countable(const Problem& work) {
  constexpr double kBytesPerVoxel = 4096, kMost = 0x1p63;
  const auto reach = [](std::int64_t image, std::int64_t kernel) {
    return static_cast<double>(image) + 2 * static_cast<double>(kernel);
  };
  const double voxels = reach(work.image.z, work.kernel.z) * reach(work.image.y, work.kernel.y) *
                        reach(work.image.x, work.kernel.x);
  if (voxels * kBytesPerVoxel >= kMost)
    throw InvalidSpec(fmt::format(
        "plan the convolution of {} with {}: its bytes cannot be counted in 63 bits; use smaller "
        "extents",
        work.image, work.kernel));
}

/// Transforms that are long enough on every axis and worth considering.
std::vector<Candidate> in_core_candidates(const Problem& work) {
  const Layout least = make_layout(work, {1, 1, 2});
  const auto z_lengths = candidate_lengths(least.z.min_length);
  const auto y_lengths = candidate_lengths(least.y.min_length);
  const auto half_lengths = candidate_lengths((least.x.min_length + 1) / 2);
  std::vector<Candidate> candidates;
  for (const std::int64_t z : z_lengths)
    for (const std::int64_t y : y_lengths)
      for (const std::int64_t half : half_lengths) {
        Candidate c;
        c.transform = {z, y, 2 * half};
        const Layout layout = make_layout(work, c.transform);
        c.memory_bytes = total(memory_of(layout, work));
        c.cost = run_cost(layout, work);
        candidates.push_back(c);
      }
  return candidates;
}

/// The cheapest candidate within `bytes`; the end where none is.
auto cheapest_within(const std::vector<Candidate>& candidates, std::int64_t bytes) {
  auto best = candidates.end();
  for (auto c = candidates.begin(); c != candidates.end(); ++c)
    if (c->memory_bytes <= bytes && (best == candidates.end() || c->cost < best->cost)) best = c;
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
  require_countable(plan.work);
  plan.machine = machine;

  const auto candidates = in_core_candidates(plan.work);
  const auto chosen = cheapest_within(candidates, machine.host_bytes);
  if (chosen == candidates.end()) {
    const auto smallest = std::min_element(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.memory_bytes < b.memory_bytes; });
    throw PlanError(fmt::format(
        "plan the convolution of {} with {}: in-core needs {}, the budget is {}; give --memory {} "
        "or more, or use a smaller image",
        problem.image, problem.kernel, print_bytes(smallest->memory_bytes),
        print_bytes(machine.host_bytes), smallest->memory_bytes));
  }
  plan.strategy = chosen->strategy;
  plan.transform = chosen->transform;
  plan.memory = memory_of(make_layout(plan.work, plan.transform), plan.work);
  plan.candidates.push_back(*chosen);
  plan.candidates.back().verdict = "chosen";

  // Where memory forbids the cheapest transform, the table says so
  const auto cheapest = cheapest_within(candidates, std::numeric_limits<std::int64_t>::max());
  if (cheapest != chosen) {
    plan.candidates.push_back(*cheapest);
    plan.candidates.back().verdict = "cheaper, but beyond the memory budget";
  }
  return plan;
}

}  // namespace synthoscope::fftconv
