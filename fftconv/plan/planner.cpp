// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include "core/run/memory_budget.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "fftconv/plan/gpu/site.hpp"
#include "fftconv/plan/gpu/sums.hpp"

namespace synthoscope::fftconv {
namespace {

/// In-core is taken where it needs at most this many times the seconds of the fastest candidate.
constexpr double kInCoreMargin = 1.2;

/// All later sizes in bytes then fit in 63 bits, for any transform that is considered.
void require_countable(const Problem& work) {
  constexpr double kBytesPerVoxel = 4096, kMax = 0x1p63;
  const auto reach = [](std::int64_t image, std::int64_t kernel) {
    return static_cast<double>(image) + 2 * static_cast<double>(kernel);
  };
  const double voxels = reach(work.image.z, work.kernel.z) * reach(work.image.y, work.kernel.y) *
                        reach(work.image.x, work.kernel.x);
  if (voxels * kBytesPerVoxel >= kMax)
    throw InvalidSpec(fmt::format(
        "plan the convolution of {} with {}: its bytes cannot be counted in 63 bits; use smaller "
        "extents",
        work.image, work.kernel));
}

/// What a run may hold, in bytes.
struct Budgets {
  std::int64_t host, device;
  [[nodiscard]] bool holds(const Candidate& c) const {
    return c.memory_bytes <= host && c.device_bytes <= device;
  }
};

/// Returns the cheapest candidate that fits; the end if none does.
auto cheapest_within(const std::vector<Candidate>& candidates, const Budgets& room) {
  auto best = candidates.end();
  for (auto c = candidates.begin(); c != candidates.end(); ++c)
    if (room.holds(*c) && (best == candidates.end() || c->seconds < best->seconds)) best = c;
  return best;
}

/// The candidates of one strategy at one place; where there are none, why.
struct Field {
  Place where;
  Strategy strategy;
  std::vector<Candidate> candidates;
  std::string why_none;
};

using VisitField = std::function<void(Field)>;

/// Why a strategy cannot cut the problem at all.
std::string why_none(Strategy strategy, const Problem& work, Place where) {
  constexpr std::string_view kRemedy = "; use --strategy auto";
  if (work.terms > 1)
    return fmt::format("its {} terms can only be added up in core{}", work.terms, kRemedy);
  if (strategy == Strategy::ring)
    return fmt::format("a ring would hold all of its planes{}", kRemedy);
  if (strategy == Strategy::tiles)
    return fmt::format("its planes are too small to be cut{}", kRemedy);
  if (strategy == Strategy::in_core)
    return fmt::format("its lines are longer than the GPU transforms{}", kRemedy);
  return fmt::format("it has nothing to cut{}{}",
                     where == Place::gpu ? ", or its lines are longer than the GPU transforms" : "",
                     kRemedy);
}

/// Returns the libraries that may transform lines on the host, the one that users expect first.
std::vector<FftLibrary> host_libraries(const Machine& machine) {
  if (machine.fft) return {*machine.fft};
  if (machine.has_fftw) return {FftLibrary::own, FftLibrary::fftw};
  return {FftLibrary::own};
}

/// Returns the reason why a library does no transforms of the host; empty if it does.
std::string why_not_on_host(FftLibrary library) {
  if (!runs_on_host(library)) return "cuFFT transforms on a GPU, and none is used; use --fft own";
  return "";
}

/// Returns the reason why a GPU cannot carry the strategy out; empty if it can.
std::string why_not_on_gpu(const Problem& work, FftLibrary library, Strategy strategy) {
  if (!runs_on_gpu(library))
    return "FFTW transforms on the host alone; use --fft own, or --gpus none";
  if (library == FftLibrary::cufft && strategy == Strategy::parts)
    return "cuFFT transforms no frequency parts; use another strategy, or --fft own";
  if (work.precision != Precision::float32)
    return "a GPU computes in single precision; use --precision single, or --gpus none";
  return "";
}

void visit_transforms(const Plan& plan, Strategy wanted, std::int64_t parts, Place where,
                      FftLibrary library, const Site& site, const VisitField& visit) {
  // Only uncut planes give whole planes in order; planes of a flat image are rows of its only plane
  const bool whole = plan.problem.order == BoxOrder::planes_in_order;
  const bool flat = !(plan.work == plan.problem);
  const auto add = [&](Strategy strategy, auto&& make) {
    // Pieces of planes can wait in a file, but those of a flat image are pieces of its only plane
    const bool in_order = strategy == Strategy::in_core || !flat;
    if (wanted != Strategy::automatic && wanted != strategy) return;
    const std::string not_there = where == Place::gpu ? why_not_on_gpu(plan.work, library, strategy)
                                                      : why_not_on_host(library);
    if (!not_there.empty())
      visit({where, strategy, {}, not_there});
    else if (!in_order && whole)
      visit({where,
             strategy,
             {},
             "a compressed file needs the only plane of a flat image as a whole; use "
             "--strategy auto"});
    else
      visit({where, strategy, make(), why_none(strategy, plan.work, where)});
  };
  add(Strategy::in_core, [&] { return in_core_candidates(plan.work, site); });
  add(Strategy::ring, [&] { return ring_candidates(plan.work, site); });
  add(Strategy::tiles, [&] { return tile_candidates(plan.work, site); });
  add(Strategy::parts, [&] { return parts_candidates(plan.work, site, parts); });
}

/// Leaves out impossible sums without giving a reason if the planner chooses the strategy. Who
/// names a library wants transforms.
void visit_sums(const Plan& plan, Strategy wanted, Place where, const VisitField& visit) {
  const Machine& machine = plan.machine;
  if (machine.fft) return;
  const bool on_gpu = where == Place::gpu;
  for (const Strategy strategy : {Strategy::direct, Strategy::separable}) {
    if (wanted != Strategy::automatic && wanted != strategy) continue;
    const std::string why_not = on_gpu ? device::why_no_gpu_sums(plan.problem, strategy)
                                       : why_no_sums(plan.problem, strategy);
    if (!why_not.empty() && wanted == Strategy::automatic) continue;
    std::vector<Candidate> candidates;
    if (why_not.empty())
      candidates = on_gpu
                       ? device::gpu_sums_candidates(plan.problem, strategy, machine)
                       : sums_candidates(plan.problem, strategy, machine.rates, machine.host_bytes);
    visit(
        {where, strategy, std::move(candidates),
         why_not.empty() ? "a GPU cannot count the voxels of a plane; use --gpus none" : why_not});
  }
}

/// One after the other: the candidates of a strategy are many, and go before the next ones come.
void visit_fields(const Plan& plan, Strategy wanted, std::int64_t parts, const VisitField& visit) {
  const Machine& machine = plan.machine;
  const bool only_on_gpu = machine.gpu_only || (machine.gpu && machine.fft == FftLibrary::cufft);
  if (!only_on_gpu) {
    for (const FftLibrary library : host_libraries(machine))
      visit_transforms(plan, wanted, parts, Place::host, library,
                       HostSite{machine.rates, library, machine.host_bytes}, visit);
    visit_sums(plan, wanted, Place::host, visit);
  }
  if (machine.gpu) {
    const FftLibrary library = machine.fft.value_or(FftLibrary::own);
    visit_transforms(plan, wanted, parts, Place::gpu, library, device::GpuSite{machine, library},
                     visit);
    visit_sums(plan, wanted, Place::gpu, visit);
  }
}

/// Returns the candidate that needs least memory of a kind, of those that `suit`; none if none
/// suits.
template <class Suits>
std::optional<Candidate> least_of(const std::vector<Candidate>& candidates,
                                  std::int64_t Candidate::*bytes, Suits&& suits) {
  std::optional<Candidate> least;
  for (const Candidate& c : candidates)
    if (suits(c) && (!least || c.*bytes < (*least).*bytes)) least = c;
  return least;
}

/// What comes closest to fitting, for what a refusal names.
struct Nearest {
  std::optional<Candidate> by_host;    ///< has room on the GPU: least memory of the host
  std::optional<Candidate> by_device;  ///< has room on the host: least memory of the GPU

  void consider(const std::vector<Candidate>& candidates, const Budgets& room) {
    keep(by_host, &Candidate::memory_bytes,
         least_of(candidates, &Candidate::memory_bytes,
                  [&](const Candidate& c) { return c.device_bytes <= room.device; }));
    keep(by_device, &Candidate::device_bytes,
         least_of(candidates, &Candidate::device_bytes,
                  [&](const Candidate& c) { return c.memory_bytes <= room.host; }));
  }

 private:
  static void keep(std::optional<Candidate>& best, std::int64_t Candidate::*bytes,
                   const std::optional<Candidate>& other) {
    if (other && (!best || (*other).*bytes < (*best).*bytes)) best = other;
  }
};

/// Returns the candidate that represents its strategy if none fits.
Candidate closest_of(const std::vector<Candidate>& candidates, const Budgets& room) {
  Nearest nearest;
  nearest.consider(candidates, room);
  if (nearest.by_device) return *nearest.by_device;
  if (nearest.by_host) return *nearest.by_host;
  return *least_of(candidates, &Candidate::memory_bytes, [](const Candidate&) { return true; });
}

/// "plan the convolution of 9x9x9 with 3x3x3 by ring: "
std::string attempt_at(const Problem& problem, Strategy wanted) {
  const std::string by =
      wanted == Strategy::automatic ? "" : fmt::format(" by {}", name_of(wanted));
  return fmt::format("plan the convolution of {} with {}{}: ", problem.image, problem.kernel, by);
}

/// Where none of the candidates fits, the GPU must be used, and it is its memory that lacks.
[[noreturn]] void refuse_gpu_memory(const Problem& problem, const Gpu& gpu, Strategy wanted,
                                    const Candidate& least) {
  throw OutOfDeviceMemory(fmt::format(
      "{}{} needs {} of the GPU's memory, its budget is {}; give --gpu-memory {} or more, or "
      "--gpus none",
      attempt_at(problem, wanted), name_of(least.strategy), print_bytes(least.device_bytes),
      print_bytes(gpu.memory_bytes), size_of_at_least(least.device_bytes)));
}

/// Where none of the candidates fits the host.
[[noreturn]] void refuse_memory(const Problem& problem, const Machine& machine, Strategy wanted,
                                const Candidate& least, std::int64_t stage_bytes) {
  const std::int64_t needed = std::max(least.memory_bytes, stage_bytes);
  const std::string_view what = needed > least.memory_bytes
                                    ? "the work before or after the convolution"
                                    : name_of(least.strategy);
  const std::string besides =
      machine.process_bytes == 0 ? "" : " and the program " + print_bytes(machine.process_bytes);
  const std::int64_t enough = needed + machine.process_bytes;
  throw MemoryTooSmall(fmt::format("{}{} needs {}{}, the budget is {}; give --memory {} or more",
                                   attempt_at(problem, wanted), what, print_bytes(needed), besides,
                                   print_bytes(machine.host_bytes + machine.process_bytes),
                                   size_of_at_least(enough)),
                       enough);
}

}  // namespace

Plan plan_convolution(const Problem& problem, const Machine& machine, Strategy wanted,
                      std::int64_t parts, std::int64_t stage_bytes) {
  require_valid(problem);
  if (parts < 0 || parts > kMaxParts || (parts > 0 && wanted != Strategy::parts))
    throw InvalidSpec(fmt::format(
        "plan the convolution by {} in {} parts: give --strategy parts with --parts 1 to {}",
        name_of(wanted), parts, kMaxParts));

  if (machine.fft && is_by_sums(wanted))
    throw InvalidSpec(
        fmt::format("plan the convolution by {} with --fft {}: sums need no transforms; leave one "
                    "of them out",
                    name_of(wanted), name_of(*machine.fft)));

  Plan plan;
  plan.problem = problem;
  plan.work = work_problem(problem);
  require_countable(plan.work);
  plan.machine = machine;

  // For every strategy the cheapest candidate that fits, or else the smallest with the reason why
  // it does not
  Nearest nearest;
  std::string why_nothing;
  constexpr std::int64_t kNothingFits = -1;
  const Budgets room{stage_bytes > machine.host_bytes ? kNothingFits : machine.host_bytes,
                     machine.gpu ? machine.gpu->memory_bytes : 0};
  visit_fields(plan, wanted, parts, [&](const Field& field) {
    if (field.candidates.empty()) {
      if (why_nothing.empty()) why_nothing = field.why_none;
      return;
    }
    const auto fitting = cheapest_within(field.candidates, room);
    const bool fits = fitting != field.candidates.end();
    plan.candidates.push_back(fits ? *fitting : closest_of(field.candidates, room));
    Candidate& c = plan.candidates.back();
    c.verdict = fits                         ? "fits"
                : c.memory_bytes > room.host ? "beyond the memory budget"
                                             : "beyond the GPU's memory";
    nearest.consider(field.candidates, room);
  });
  if (plan.candidates.empty()) throw PlanError(attempt_at(problem, wanted) + why_nothing);

  // The fastest wins; one that reads and writes everything once also where it is a little slower,
  // because predictions are no better than that
  const auto rank = [&](const Candidate& c) {
    const bool is_once = c.strategy == Strategy::in_core || is_by_sums(c.strategy);
    const double handicap = is_once ? 1 : kInCoreMargin;
    const bool is_quick = c.where == Place::host || machine.gpu->start_is_paid;
    const double start = is_quick ? kStartSeconds : 0;  // however it goes on
    return std::tuple{c.verdict != "fits", start + (c.seconds - start) * handicap};
  };
  const auto chosen =
      std::min_element(plan.candidates.begin(), plan.candidates.end(),
                       [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  if (chosen->verdict != "fits") {
    if (machine.gpu_only && nearest.by_device)
      refuse_gpu_memory(problem, *machine.gpu, wanted, *nearest.by_device);
    refuse_memory(problem, machine, wanted, nearest.by_host.value_or(*chosen), stage_bytes);
  }
  for (Candidate& c : plan.candidates)
    if (c.verdict == "fits") c.verdict = c.seconds < chosen->seconds ? "hardly faster" : "slower";
  chosen->verdict = "chosen";
  plan.where = chosen->where;
  plan.strategy = chosen->strategy;
  plan.transform = chosen->transform;
  plan.cut = chosen->cut;
  plan.work = is_by_sums(plan.strategy) ? problem : work_problem(problem, plan.cut);
  RunMemory memory = run_memory_of(plan);
  plan.memory = std::move(memory.host);
  plan.device_memory = std::move(memory.device);
  return plan;
}

}  // namespace synthoscope::fftconv
