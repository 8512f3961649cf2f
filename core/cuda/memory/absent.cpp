// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include <string>
#include "core/base/error.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/cuda/memory/pinned_memory.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {
namespace {

[[noreturn]] void refuse(const char* step) {
  throw CudaError(std::string{step} +
                  ": this program was built without CUDA; build it with SYNTHOSCOPE_CUDA=ON where "
                  "CUDA is installed");
}

}  // namespace

DeviceList list_devices() {
  return {{}, "this program was built without CUDA"};
}

DeviceMemory memory_of(DeviceId) {
  refuse("read the free memory of a GPU");
}

void PinnedMemoryTraits::release(Raw, DeviceId) noexcept {}

UniqueHandle<PinnedMemoryTraits> allocate_pinned(DeviceId, std::int64_t, std::string_view) {
  refuse("pin memory for a GPU");
}

DeviceRates measure_device(DeviceId, MemoryBudget&, const StopFlag&) {
  refuse("measure a GPU");
}

}  // namespace synthoscope::cuda
