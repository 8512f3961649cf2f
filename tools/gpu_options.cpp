// SPDX-License-Identifier: MIT
#include "tools/gpu_options.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/error.hpp"
#include "core/memory_budget.hpp"
#include "fftconv/device/device_layout.hpp"
#include "tools/machine_cache.hpp"

namespace synthoscope::tools {

void GpuOptions::describe(OptionTable& table) {
  table.group("GPU");
  table.add({"gpus", "auto|none|all|LIST", gpus, "",
             "auto: a GPU is used where there is one and the plan is faster there; none: it is "
             "not; all, or positions or uuids with commas between them as devices lists them: it "
             "is, and what it cannot do is refused. This version uses the first of several",
             [this](std::string_view text) {
               if (text.empty())
                 throw InvalidSpec("no GPU is named; write auto, none, all or a list such as 0,2");
               gpus = text;
             }});
  table.add({"gpu-memory", "SIZE", "90 % of what is free there", "",
             "memory to use on the GPU, as 512M, 8G or bytes, beside what CUDA itself takes there; "
             "a promise that is kept",
             [this](std::string_view text) { memory_bytes = parse_bytes(text); }});
}

const cuda::DeviceInfo* GpuInUse::device() {
  look();
  return device_ ? &*device_ : nullptr;
}

std::int64_t GpuInUse::memory_bytes() {
  look();
  return memory_bytes_;
}

void GpuInUse::look() {
  if (looked_) return;
  if (options_.gpus != "none") {
    try {
      find();
    } catch (const CudaError& failure) {
      device_.reset();
      memory_bytes_ = 0;
      if (!is_automatic()) throw;
      log_.warn(fmt::format("no GPU is used: {}", failure.what()));
    }
  }
  looked_ = true;
}

void GpuInUse::find() {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    if (is_automatic()) return;
    throw CudaError(fmt::format("use GPUs {}: {}; give --gpus none, or leave it out", options_.gpus,
                                list.why_none));
  }
  const auto chosen = choose_devices(list, is_automatic() ? "all" : options_.gpus);
  device_ = chosen.front();
  if (chosen.size() > 1 && !is_automatic())
    log_.note(fmt::format("of {} GPUs GPU {} alone is used: this version uses one", chosen.size(),
                          device_->id.index));
  const std::int64_t free = cuda::memory_of(device_->id).free_bytes;
  const std::int64_t asked = options_.memory_bytes.value_or(free / 10 * 9);
  if (asked > free)
    log_.warn(
        fmt::format("GPU {} has {} of memory free: no more of the {} that --gpu-memory gives is "
                    "used",
                    device_->id.index, print_bytes(free), print_bytes(asked)));
  memory_bytes_ = std::max<std::int64_t>(1, std::min(asked, free));
}

void GpuInUse::offer_to(fftconv::Machine& machine) {
  look();
  if (!device_) return;
  fftconv::Gpu gpu{device_->name, device_->capability, fftconv::device::block_limits(*device_),
                   memory_bytes_};
  for (const MeasuredGpu& measured : cached_gpus())
    if (measured.uuid == device_->uuid) gpu.rates = measured.rates;
  machine.gpu = std::move(gpu);
  machine.gpu_only = !is_automatic();
}

std::string GpuInUse::instruction_set() {
  look();
  return device_ ? fmt::format("sm_{}", device_->capability) : "no GPU";
}

}  // namespace synthoscope::tools
