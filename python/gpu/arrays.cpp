// SPDX-License-Identifier: MIT
#include "python/gpu/arrays.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <map>
#include "core/base/error.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "kernels/device/bricks/resident.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {

namespace nb = nanobind;

const cuda::DeviceInfo& gpu_of(const GpuArray& array) {
  static const cuda::DeviceList list = cuda::list_devices();  // to ask takes milliseconds
  for (const cuda::DeviceInfo& device : list.devices)
    if (device.id.index == array.device_id()) {
      cuda::enable_pool(device);
      return device;
    }
  throw CudaError(fmt::format("use an array on GPU {}: {}; copy it to the host", array.device_id(),
                              list.devices.empty() ? list.why_none : "there is no such GPU here"));
}

std::int64_t usable_bytes(const cuda::DeviceInfo& device) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kStep = std::int64_t{1} << 30;
  struct Seen {
    Clock::time_point when;
    std::int64_t bytes = 0;  ///< free, or taken by ourselves
  };
  static std::map<int, Seen> seen;  // under the interpreter's lock
  Seen& last = seen[device.id.index];
  const std::int64_t ours = cuda::pool_bytes_in_use(device.id);
  if (const auto now = Clock::now(); last.bytes == 0 || now - last.when > std::chrono::seconds{1})
    last = {now, cuda::memory_of(device.id).free_bytes + ours};
  const std::int64_t usable = (last.bytes - ours) / 10 * 9;
  return std::max<std::int64_t>(usable > kStep ? usable / kStep * kStep : usable, 1);
}

ConstVoxelView device_view_of(const GpuArray& array) {
  const PixelType type = pixel_type_of(array.dtype());
  if (type == PixelType::float64)
    throw InvalidSpec(
        "use an array on a GPU: its elements are float64, and GPUs compute in single precision "
        "here; convert them to float32, or copy them to the host");
  return {static_cast<const std::byte*>(array.data()), type, extent_of(array)};
}

NewGpuArray::NewGpuArray(cuda::DeviceId device, PixelType type, const Extent3& extent)
    : memory_{std::make_unique<cuda::UniqueHandle<cuda::DeviceMemoryTraits>>(
          cuda::allocate_device(device, volume(extent) * size_of(type), "the result"))},
      view_{static_cast<std::byte*>(memory_->get()), type, extent} {}

MadeArray NewGpuArray::release() {
  using Memory = cuda::UniqueHandle<cuda::DeviceMemoryTraits>;
  const int device = memory_->device().index;
  const nb::capsule owner{memory_.release(), [](void* p) noexcept {
                            const nb::gil_scoped_release unlocked;  // the device is waited for
                            delete static_cast<Memory*>(p);
                          }};
  const Extent3& e = view_.extent();
  const std::size_t shape[] = {static_cast<std::size_t>(e.z), static_cast<std::size_t>(e.y),
                               static_cast<std::size_t>(e.x)};
  return {view_.data(), 3, shape, owner, nullptr, dtype_of(view_.type()), nb::device::cuda::value,
          device};
}

std::vector<MadeArray> results_there(kernels::Operation& operation, const GpuArray& image) {
  if (!operation.on_device())
    throw InvalidSpec(fmt::format(
        "{} on a GPU: only the host can do this; copy the array to the host", operation.stage()));
  const cuda::DeviceInfo& device = gpu_of(image);
  const ConstVoxelView voxels = device_view_of(image);
  std::vector<NewGpuArray> made;
  std::vector<VoxelView> results;
  for (const PixelType type : operation.types())
    results.push_back(made.emplace_back(device.id, type, operation.extent()).view());
  MemoryBudget memory{usable_bytes(device), 0, "--gpu-memory"};
  const int threads = usual_allowance().threads;
  StopFlag stop;
  run_interruptibly(stop, 0, [&] {
    TaskPool pool{threads};
    cuda::finish_all(device.id);
    kernels::device::run_resident(operation, device, voxels, results, memory, pool, stop);
  });
  std::vector<MadeArray> arrays;
  for (NewGpuArray& one : made) arrays.push_back(one.release());
  return arrays;
}

}  // namespace synthoscope::python
