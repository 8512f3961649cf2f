// SPDX-License-Identifier: MIT
#include "jobs/machine/gpu_in_use.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include "core/base/error.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "jobs/machine/machine_cache.hpp"

namespace synthoscope::jobs {
namespace {

/// Starts a thread. If that is impossible, the work is done when its result is wanted.
constexpr auto kBeside = std::launch::async | std::launch::deferred;

}  // namespace

GpuInUse::GpuInUse(const GpuChoice& choice, Workspace& workspace)
    : choice_{choice}, log_{workspace.context().log}, watch_{workspace.watch()} {
  if (choice.gpus == "none") return;
  starting_ = choice.is_automatic() ? std::async(std::launch::deferred, start, "all")
                                    : std::async(kBeside, start, choice.gpus);
}

const cuda::DeviceInfo* GpuInUse::device() {
  look();
  return devices_.empty() ? nullptr : &devices_.front();
}

const std::vector<cuda::DeviceInfo>& GpuInUse::devices() {
  look();
  return devices_;
}

std::int64_t GpuInUse::memory_bytes() {
  look();
  return memory_bytes_;
}

void GpuInUse::look() {
  if (looked_ || !starting_.valid()) return;
  Stages stages;
  Stopwatch waiting{stages};
  find();
  waiting.lap("start GPU");
  watch_.add(stages);
  looked_ = true;
}

void GpuInUse::find() try {
  const Started& started = starting_.get();
  if (started.list.devices.empty()) {
    if (is_automatic()) return;
    throw CudaError(fmt::format("--gpus {}: {}; give --gpus none, or leave --gpus out",
                                choice_.gpus, started.list.why_none));
  }
  take_alike(started);
} catch (const CudaError& failure) {
  if (!is_automatic()) throw;
  log_.warn(fmt::format("no GPU is used: {}", failure.what()));
}

GpuInUse::Started GpuInUse::start(const std::string& gpus) {
  Started started{.list = cuda::list_devices(), .chosen = {}, .free_bytes = {}};
  if (started.list.devices.empty()) return started;
  started.chosen = choose_devices(started.list, gpus);
  std::vector<std::future<std::int64_t>> free;
  for (const cuda::DeviceInfo& device : started.chosen)
    free.push_back(
        std::async(kBeside, [id = device.id] { return cuda::memory_of(id).free_bytes; }));
  for (auto& bytes : free) started.free_bytes.push_back(bytes.get());
  return started;
}

/// A plan is made for one of them: others must transform the same lines in the same way.
void GpuInUse::take_alike(const Started& started) {
  const cuda::DeviceInfo& first = started.chosen.front();
  memory_bytes_ = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < started.chosen.size(); ++i) {
    const cuda::DeviceInfo& one = started.chosen[i];
    if (one.name == first.name && one.capability == first.capability &&
        fftconv::device::block_limits(one) == fftconv::device::block_limits(first)) {
      devices_.push_back(one);
      memory_bytes_ = std::min(memory_bytes_, usable_bytes(one, started.free_bytes[i]));
    } else {
      log_.note(fmt::format(
          "GPU {} ({}) is not used with GPU {} ({}): only GPUs of one kind work together",
          one.id.index, one.name, first.id.index, first.name));
    }
  }
}

std::int64_t GpuInUse::usable_bytes(const cuda::DeviceInfo& device, std::int64_t free) const {
  const std::int64_t asked = choice_.memory_bytes.value_or(free / 10 * 9);
  if (asked > free)
    log_.warn(
        fmt::format("GPU {} has only {} of free memory; --gpu-memory is {}, and the run uses no "
                    "more than what is free",
                    device.id.index, print_bytes(free), print_bytes(asked)));
  return std::max<std::int64_t>(1, std::min(asked, free));
}

void GpuInUse::offer_to(fftconv::Machine& machine) {
  look();
  if (devices_.empty()) return;
  const cuda::DeviceInfo& first = devices_.front();
  fftconv::Gpu gpu{first.name, first.capability, fftconv::device::block_limits(first),
                   memory_bytes_};
  for (const MeasuredGpu& measured : cached_gpus())
    if (measured.uuid == first.uuid) gpu.rates = measured.rates;
  machine.gpu = std::move(gpu);
  machine.gpu_only = !is_automatic();
}

std::string GpuInUse::instruction_set() {
  look();
  return devices_.empty() ? "no GPU" : fmt::format("sm_{}", devices_.front().capability);
}

}  // namespace synthoscope::jobs
