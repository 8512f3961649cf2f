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
  if (looked_) return;
  if (choice_.gpus != "none") {
    Stages stages;
    Stopwatch starting{stages};
    start();
    starting.lap("start GPU");
    watch_.add(stages);
  }
  looked_ = true;
}

void GpuInUse::start() try { find(); } catch (const CudaError& failure) {
  devices_.clear();
  memory_bytes_ = 0;
  if (!is_automatic()) throw;
  log_.warn(fmt::format("no GPU is used: {}", failure.what()));
}

void GpuInUse::find() {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    if (is_automatic()) return;
    throw CudaError(fmt::format("--gpus {}: {}; give --gpus none, or leave --gpus out",
                                choice_.gpus, list.why_none));
  }
  take_alike(choose_devices(list, is_automatic() ? "all" : choice_.gpus));
  memory_bytes_ = std::numeric_limits<std::int64_t>::max();
  for (const cuda::DeviceInfo& device : devices_)
    memory_bytes_ = std::min(memory_bytes_, usable_bytes(device));
}

/// A plan is made for one of them: others must transform the same lines in the same way.
void GpuInUse::take_alike(const std::vector<cuda::DeviceInfo>& chosen) {
  const cuda::DeviceInfo& first = chosen.front();
  for (const cuda::DeviceInfo& one : chosen)
    if (one.name == first.name && one.capability == first.capability &&
        fftconv::device::block_limits(one) == fftconv::device::block_limits(first))
      devices_.push_back(one);
    else
      log_.note(fmt::format(
          "GPU {} ({}) is not used with GPU {} ({}): only GPUs of one kind work together",
          one.id.index, one.name, first.id.index, first.name));
}

std::int64_t GpuInUse::usable_bytes(const cuda::DeviceInfo& device) const {
  const std::int64_t free = cuda::memory_of(device.id).free_bytes;
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
