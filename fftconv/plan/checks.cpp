// SPDX-License-Identifier: MIT
// What a plan that is given must be for this problem and this machine.
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include "core/run/memory_budget.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/sums.hpp"

namespace synthoscope::fftconv {
namespace {

/// A plan decides by what its GPU is like: shapes of lines, and room.
void require_gpu(const Plan& plan, const Machine& machine) {
  const Gpu& planned = *plan.machine.gpu;
  if (!machine.gpu)
    throw CudaError(
        fmt::format("run the given plan: it is for {} (sm_{}), and no GPU is used here; run it on "
                    "a machine with one, or make a new plan",
                    planned.name, planned.capability));
  const Gpu& here = *machine.gpu;
  if (here.capability != planned.capability || !(here.limits == planned.limits))
    throw CudaError(fmt::format(
        "run the given plan: it is for {} (sm_{}), the GPU here is {} (sm_{}); make a new plan",
        planned.name, planned.capability, here.name, here.capability));
  if (plan.device_bytes() > here.memory_bytes)
    throw OutOfDeviceMemory(fmt::format(
        "run the given plan: it needs {} of the GPU's memory, its budget is {}; give --gpu-memory "
        "{} or more, or make a new plan",
        print_bytes(plan.device_bytes()), print_bytes(here.memory_bytes),
        size_of_at_least(plan.device_bytes())));
}

}  // namespace

std::int64_t sum_of(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

const Candidate* Plan::chosen() const {
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [](const Candidate& c) { return c.verdict == "chosen"; });
  return found == candidates.end() ? nullptr : &*found;
}

std::int64_t Plan::memory_bytes() const {
  return sum_of(memory);
}

std::int64_t Plan::device_bytes() const {
  return sum_of(device_memory);
}

void require_fits(const Plan& plan, const Machine& machine, std::int64_t stage_bytes) {
  if (plan.where == Place::gpu) require_gpu(plan, machine);
  if (plan.where == Place::host && machine.gpu_only)
    throw InvalidSpec(
        "run the given plan: it is for the host, but a GPU is required; give --gpus none, or make "
        "a new plan");
  require_here(plan.cut.fft, "run the given plan");
  if (machine.fft && is_by_sums(plan.strategy))
    throw InvalidSpec(
        fmt::format("run the given plan: it sums over the kernel and transforms nothing, but --fft "
                    "{} is requested; leave --fft out, or make a new plan",
                    name_of(*machine.fft)));
  if (machine.fft && *machine.fft != plan.cut.fft)
    throw InvalidSpec(
        fmt::format("run the given plan: its transforms are those of {}, but --fft {} is "
                    "requested; leave --fft out, or make a new plan",
                    name_of(plan.cut.fft), name_of(*machine.fft)));
  const std::int64_t needed = std::max(plan.memory_bytes(), stage_bytes);
  if (needed <= machine.host_bytes) return;
  const std::int64_t least = needed + machine.process_bytes;
  throw MemoryTooSmall(
      fmt::format("run the given plan: it needs {}{}, the budget is {}; give "
                  "--memory {} or more, or make a new plan",
                  print_bytes(needed),
                  machine.process_bytes == 0
                      ? ""
                      : " and the program " + print_bytes(machine.process_bytes),
                  print_bytes(machine.host_bytes + machine.process_bytes), size_of_at_least(least)),
      least);
}

void require_for(const Plan& plan, const Problem& problem) {
  const Problem& p = plan.problem;
  const auto differ = [](std::string_view what, const auto& planned, const auto& asked) {
    throw InvalidSpec(
        fmt::format("run the given plan: it is for {} {}, but {} is requested; make a new one with "
                    "--dry-run --json",
                    what, planned, asked));
  };
  if (p.image != problem.image) differ("an image of", p.image, problem.image);
  if (p.kernel != problem.kernel) differ("a kernel of", p.kernel, problem.kernel);
  if (p.center != problem.center) differ("a kernel centred on", p.center, problem.center);
  if (p.boundary != problem.boundary)
    differ("boundary", name_of(p.boundary), name_of(problem.boundary));
  if (p.shape != problem.shape) differ("shape", name_of(p.shape), name_of(problem.shape));
  if (p.part != problem.part) differ("the part of the result", p.part, problem.part);
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
  if (is_by_sums(plan.strategy) && !problem.may_sum)
    throw InvalidSpec(
        "run the given plan: it sums over the kernel, which is not done here; make a "
        "new one with --dry-run --json");
  const auto shape = [](const Problem& x) { return x.is_product ? "a product" : "no product"; };
  if (plan.strategy == Strategy::separable && p.is_product != problem.is_product)
    differ("a kernel that is", shape(p), shape(problem));
  const auto order = [](const Problem& x) {
    return x.order == BoxOrder::any ? "any pieces" : "whole planes";
  };
  if (p.order != problem.order) differ("a file that takes", order(p), order(problem));
  if (plan.where == Place::host) return;
  const auto maker = [](const Problem& x) { return x.image_made_on_gpu ? "GPU" : "host"; };
  if (p.image_made_on_gpu && !problem.image_made_on_gpu)
    differ("an image that is made by the", maker(p), maker(problem));
  if (p.gpu_stream_bytes < problem.gpu_stream_bytes)
    differ("sources and epilogues with buffers on the GPU of", print_bytes(p.gpu_stream_bytes),
           print_bytes(problem.gpu_stream_bytes));
}

int threads_that_fit(const Plan& plan, int threads) {
  const auto one = std::find_if(plan.memory.begin(), plan.memory.end(),
                                [](const MemoryItem& item) { return item.what == kThreadScratch; });
  if (one == plan.memory.end() || one->bytes == 0) return threads;
  const std::int64_t more = (plan.machine.host_bytes - plan.memory_bytes()) / one->bytes;
  return static_cast<int>(std::clamp<std::int64_t>(1 + more, 1, threads));
}

}  // namespace synthoscope::fftconv
