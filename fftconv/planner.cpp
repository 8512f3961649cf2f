// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <tuple>
#include "core/memory_budget.hpp"
#include "fftconv/candidates.hpp"
#include "fftconv/layout.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {
namespace {

std::int64_t total(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

/// In-core is taken where it needs at most this many times the seconds of the fastest candidate.
constexpr double kInCoreMargin = 1.2;

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

/// The cheapest candidate within `bytes`; the end where none is.
auto cheapest_within(const std::vector<Candidate>& candidates, std::int64_t bytes) {
  auto best = candidates.end();
  for (auto c = candidates.begin(); c != candidates.end(); ++c)
    if (c->memory_bytes <= bytes && (best == candidates.end() || c->seconds < best->seconds))
      best = c;
  return best;
}

/// The candidates of one strategy; where there are none, why.
struct Field {
  Strategy strategy;
  std::vector<Candidate> candidates;
  std::string why_none;
};

/// Why a strategy cannot cut the problem at all.
std::string why_none(Strategy strategy, const Problem& work) {
  if (work.terms > 1) return fmt::format("its {} terms are added up in core alone", work.terms);
  switch (strategy) {
    case Strategy::ring:
      return "no ring is shorter than all of its planes";
    case Strategy::tiles:
      return "its planes are too small to be cut";
    default:
      return "it has nothing to cut";
  }
}

std::vector<Field> fields_of(const Plan& plan, Strategy wanted, std::int64_t parts) {
  // Whole planes in order come from uncut planes; those of a flat image are rows of its only one
  const bool whole = plan.problem.order == BoxOrder::planes_in_order;
  const bool flat = !(plan.work == plan.problem);
  std::vector<Field> fields;
  const auto add = [&](Strategy strategy, auto&& make) {
    // Pieces of planes can wait in a file, but those of a flat image are pieces of its only plane
    const bool in_order = strategy == Strategy::in_core || !flat;
    if (wanted != Strategy::automatic && wanted != strategy) return;
    if (!in_order && whole)
      fields.push_back({strategy, {}, "a compressed file takes a flat image's only plane whole"});
    else
      fields.push_back(
          {strategy, make(plan.work, plan.machine.rates), why_none(strategy, plan.work)});
  };
  add(Strategy::in_core, in_core_candidates);
  add(Strategy::ring, ring_candidates);
  add(Strategy::tiles, tile_candidates);
  add(Strategy::parts, [&](const Problem& work, const MachineRates& rates) {
    return parts_candidates(work, rates, parts);
  });
  return fields;
}

const Candidate& smallest_of(const std::vector<Candidate>& candidates) {
  return *std::min_element(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.memory_bytes < b.memory_bytes; });
}

/// Where the strategy has no candidate at all.
[[noreturn]] void refuse(const Problem& problem, const Field& field) {
  throw PlanError(fmt::format("plan the convolution of {} with {} by {}: {}; use --strategy auto",
                              problem.image, problem.kernel, name_of(field.strategy),
                              field.why_none));
}

/// Where none of the candidates fits.
[[noreturn]] void refuse(const Problem& problem, const Machine& machine, Strategy wanted,
                         const std::vector<Candidate>& smallest, std::int64_t stage_bytes) {
  const std::string by =
      wanted == Strategy::automatic ? "" : fmt::format(" by {}", name_of(wanted));
  const Candidate& least = smallest_of(smallest);
  const std::int64_t needed = std::max(least.memory_bytes, stage_bytes);
  const std::string_view what =
      needed > least.memory_bytes ? "what comes before or after" : name_of(least.strategy);
  const std::string besides =
      machine.process_bytes == 0 ? "" : " and the program " + print_bytes(machine.process_bytes);
  throw PlanError(fmt::format(
      "plan the convolution of {} with {}{}: {} needs {}{}, the budget is {}; give --memory {} or "
      "more",
      problem.image, problem.kernel, by, what, print_bytes(needed), besides,
      print_bytes(machine.host_bytes + machine.process_bytes), needed + machine.process_bytes));
}

}  // namespace

std::int64_t Plan::memory_bytes() const {
  return total(memory);
}

std::int64_t Plan::device_bytes() const {
  return total(device_memory);
}

void require_fits(const Plan& plan, const Machine& machine, std::int64_t stage_bytes) {
  const std::int64_t needed = std::max(plan.memory_bytes(), stage_bytes);
  if (needed <= machine.host_bytes) return;
  throw PlanError(fmt::format(
      "run the given plan: it needs {}{}, the budget is {}; give --memory {} or more, or plan anew",
      print_bytes(needed),
      machine.process_bytes == 0 ? "" : " and the program " + print_bytes(machine.process_bytes),
      print_bytes(machine.host_bytes + machine.process_bytes), needed + machine.process_bytes));
}

void require_for(const Plan& plan, const Problem& problem) {
  const Problem& p = plan.problem;
  const auto differ = [](std::string_view what, const auto& planned, const auto& asked) {
    throw InvalidSpec(
        fmt::format("run the given plan: it is for {} {}, but {} is asked for; make a new one with "
                    "--dry-run --json",
                    what, planned, asked));
  };
  if (p.image != problem.image) differ("an image of", p.image, problem.image);
  if (p.kernel != problem.kernel) differ("a kernel of", p.kernel, problem.kernel);
  if (p.center != problem.center) differ("a kernel centred on", p.center, problem.center);
  if (p.boundary != problem.boundary)
    differ("boundary", name_of(p.boundary), name_of(problem.boundary));
  if (p.shape != problem.shape) differ("shape", name_of(p.shape), name_of(problem.shape));
  if (p.precision != problem.precision)
    differ("precision", name_of(p.precision), name_of(problem.precision));
  const auto direction = [](const Problem& x) {
    return x.correlate ? "correlation" : "convolution";
  };
  if (p.correlate != problem.correlate) differ("a", direction(p), direction(problem));
  const auto sum = [](const Problem& x) { return x.remove_mean ? "cancels" : "does not cancel"; };
  if (p.remove_mean != problem.remove_mean)
    differ("a kernel whose sum", sum(p), fmt::format("one whose sum {}", sum(problem)));
  if (p.terms != problem.terms) differ("a number of terms of", p.terms, problem.terms);
  const auto order = [](const Problem& x) {
    return x.order == BoxOrder::any ? "any pieces" : "whole planes";
  };
  if (p.order != problem.order) differ("a file that takes", order(p), order(problem));
}

Plan plan_convolution(const Problem& problem, const Machine& machine, Strategy wanted,
                      std::int64_t parts, std::int64_t stage_bytes) {
  require_valid(problem);
  if (parts < 0 || parts > kMostParts || (parts > 0 && wanted != Strategy::parts))
    throw InvalidSpec(fmt::format(
        "plan the convolution by {} in {} parts: give --strategy parts with --parts 1 to {}",
        name_of(wanted), parts, kMostParts));
  if (wanted == Strategy::direct || wanted == Strategy::separable)
    throw PlanError(fmt::format(
        "plan the convolution: strategy {} is not part of this version; use auto, in-core, "
        "ring, tiles or parts",
        name_of(wanted)));

  Plan plan;
  plan.problem = problem;
  plan.work = work_problem(problem);
  require_countable(plan.work);
  plan.machine = machine;

  // Of every strategy the cheapest that fits, or else the smallest with the reason against it
  std::vector<Candidate> smallest;
  constexpr std::int64_t kNothingFits = -1;
  const std::int64_t room = stage_bytes > machine.host_bytes ? kNothingFits : machine.host_bytes;
  for (Field& field : fields_of(plan, wanted, parts)) {
    if (field.candidates.empty()) {
      if (wanted == field.strategy) refuse(problem, field);
      continue;
    }
    const auto fitting = cheapest_within(field.candidates, room);
    const bool fits = fitting != field.candidates.end();
    plan.candidates.push_back(fits ? *fitting : smallest_of(field.candidates));
    plan.candidates.back().verdict = fits ? "fits" : "beyond the memory budget";
    if (!fits) smallest.push_back(plan.candidates.back());
  }

  // The fastest wins; in-core, which reads and writes everything once, also where it is a little
  // slower, because predictions are no better than that
  const auto rank = [](const Candidate& c) {
    const double handicap = c.strategy == Strategy::in_core ? 1 : kInCoreMargin;
    return std::tuple{c.verdict != "fits", c.seconds * handicap};
  };
  const auto chosen =
      std::min_element(plan.candidates.begin(), plan.candidates.end(),
                       [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  if (chosen == plan.candidates.end() || chosen->verdict != "fits")
    refuse(problem, machine, wanted, smallest, stage_bytes);
  for (Candidate& c : plan.candidates)
    if (c.verdict == "fits") c.verdict = c.seconds < chosen->seconds ? "hardly faster" : "slower";
  chosen->verdict = "chosen";
  plan.strategy = chosen->strategy;
  plan.transform = chosen->transform;
  plan.cut = chosen->cut;
  plan.work = work_problem(problem, plan.cut);
  plan.memory = memory_of(make_layout(plan.work, plan.transform, plan.cut), plan.work);
  return plan;
}

}  // namespace synthoscope::fftconv
