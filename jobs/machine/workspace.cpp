// SPDX-License-Identifier: MIT
#include "jobs/machine/workspace.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace synthoscope::jobs {

std::int64_t Workspace::count_growth() {
  const std::int64_t grown = std::max<std::int64_t>(0, program_bytes_() - context_.memory.used());
  const std::int64_t free = context_.memory.limit() - context_.memory.used();
  // Beyond the budget: then nothing else fits
  if (const std::int64_t counted = std::min(grown, free); counted > 0)
    grown_.push_back(context_.memory.reserve(counted, "memory that the program already uses"));
  return free - grown;
}

void Workspace::release_growth_after(std::size_t kept) {
  const std::int64_t before = context_.memory.used();
  grown_.resize(kept);
  if (const std::int64_t beside = before - context_.memory.used(); beside > 0)
    context_.log.warn(
        fmt::format("CUDA was started to plan for the GPU, and takes {} in addition to --memory, "
                    "which only holds the host's plan; give --gpus none to stay within it",
                    print_bytes(beside)));
}

fftconv::Machine Workspace::machine(const fftconv::MachineRates& rates, std::int64_t held) {
  const std::int64_t left = count_growth();
  fftconv::Machine machine{left - held, context_.memory.limit() - left + held, rates};
  machine.has_fftw = is_here(fftconv::FftLibrary::fftw);
  return machine;
}

}  // namespace synthoscope::jobs
