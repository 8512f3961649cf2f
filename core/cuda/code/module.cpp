// SPDX-License-Identifier: MIT
#include "core/cuda/code/module.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <mutex>
#include "core/base/error.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

UniqueHandle<LibraryTraits> load(DeviceId device, const CompiledCode& code) {
  const ScopedDevice on{device};
  cudaLibrary_t raw = nullptr;
  check(cudaLibraryLoadData(&raw, code.cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load compiled code");
  return {raw, device};
}

/// The runtime takes kernels of loaded code where it takes functions.
const void* function_of(CUkern_st* kernel) {
  return static_cast<const void*>(kernel);
}

std::vector<std::size_t> parameter_bytes_of(CUkern_st* kernel) {
  std::vector<std::size_t> bytes;
  std::size_t offset = 0, size = 0;
  while (cudaFuncGetParamInfo(function_of(kernel), bytes.size(), &offset, &size) == cudaSuccess)
    bytes.push_back(size);
  cudaGetLastError();  // the end of the list is an error to CUDA
  return bytes;
}

dim3 dim_of(const Count3& count) {
  return {static_cast<unsigned>(count.x), static_cast<unsigned>(count.y),
          static_cast<unsigned>(count.z)};
}

}  // namespace

void LibraryTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  cudaLibraryUnload(raw);
}

Module::Module(DeviceId device, const CompileRequest& request, const CompiledCode& code)
    : library_{std::make_shared<const UniqueHandle<LibraryTraits>>(load(device, code))},
      names_{request.kernels},
      lowered_{code.kernels} {}

GpuKernel Module::kernel(const std::string& name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end())
    throw CudaError(
        fmt::format("find the kernel {}: the compiled code has {}", name, fmt::join(names_, ", ")));
  return {library_, name, lowered_.at(static_cast<std::size_t>(at - names_.begin()))};
}

GpuKernel::GpuKernel(Library library, std::string name, const std::string& lowered)
    : library_{std::move(library)}, name_{std::move(name)} {
  const ScopedDevice on{library_->device()};
  check(cudaLibraryGetKernel(&raw_, library_->get(), lowered.c_str()),
        fmt::format("find the kernel {}", name_));
  parameter_bytes_ = parameter_bytes_of(raw_);
}

void GpuKernel::enqueue(const Stream& stream, const LaunchShape& shape, void* const* arguments,
                        std::span<const std::size_t> sizes) const {
  if (!std::equal(sizes.begin(), sizes.end(), parameter_bytes_.begin(), parameter_bytes_.end()))
    throw CudaError(
        fmt::format("launch the kernel {}: its parameters have {} bytes, its arguments {}; this is "
                    "a defect of the program, please report it",
                    name_, fmt::join(parameter_bytes_, ", "), fmt::join(sizes, ", ")));
  const ScopedDevice on{stream.device()};
  check(cudaLaunchKernel(function_of(raw_), dim_of(shape.blocks), dim_of(shape.threads),
                         const_cast<void**>(arguments),
                         static_cast<std::size_t>(shape.shared_bytes), stream.handle()),
        fmt::format("launch the kernel {}", name_));
}

void GpuKernel::allow_shared(std::int64_t bytes) {
  static std::mutex asking;  // runs share kernels: what one was allowed another must not take back
  const std::scoped_lock lock{asking};
  const ScopedDevice on{library_->device()};
  cudaFuncAttributes now;
  check(cudaFuncGetAttributes(&now, function_of(raw_)),
        fmt::format("read the properties of the kernel {}", name_));
  if (now.maxDynamicSharedSizeBytes >= bytes) return;
  check(cudaKernelSetAttributeForDevice(raw_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(bytes), library_->device().index),
        fmt::format("allow the kernel {} {} bytes of shared memory", name_, bytes));
}

LaunchResources GpuKernel::resources() const {
  const ScopedDevice on{library_->device()};
  cudaFuncAttributes a;
  check(cudaFuncGetAttributes(&a, function_of(raw_)),
        fmt::format("read the properties of the kernel {}", name_));
  return {.registers = a.numRegs,
          .spilled_bytes = static_cast<std::int64_t>(a.localSizeBytes),
          .shared_bytes = static_cast<std::int64_t>(a.sharedSizeBytes),
          .most_threads = a.maxThreadsPerBlock};
}

int GpuKernel::blocks_at_once(std::int64_t threads, std::int64_t shared_bytes) const {
  const ScopedDevice on{library_->device()};
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_of(raw_),
                                                      static_cast<int>(threads),
                                                      static_cast<std::size_t>(shared_bytes)),
        fmt::format("compute how many blocks of the kernel {} run at once", name_));
  return blocks;
}

int GpuKernel::clusters_at_once(int blocks, std::int64_t threads, std::int64_t shared_bytes) const {
  constexpr int kOfEveryDevice = 8;
  const ScopedDevice on{library_->device()};
  const auto ask_for = [&](cudaFuncAttribute what, int value) {
    const bool given =
        cudaKernelSetAttributeForDevice(raw_, what, value, library_->device().index) == cudaSuccess;
    if (!given) cudaGetLastError();
    return given;
  };
  if (blocks > kOfEveryDevice && !ask_for(cudaFuncAttributeNonPortableClusterSizeAllowed, 1))
    return 0;
  // Blocks of a cluster may share a multiprocessor: more clusters fit
  ask_for(cudaFuncAttributeClusterSchedulingPolicyPreference,
          cudaClusterSchedulingPolicyLoadBalancing);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(blocks);
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t shape{};
  shape.gridDim = dim_of({blocks});
  shape.blockDim = dim_of({threads});
  shape.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  shape.attrs = &cluster;
  shape.numAttrs = 1;
  int clusters = 0;
  // A device that cannot hold one says so by an error
  if (cudaOccupancyMaxActiveClusters(&clusters, function_of(raw_), &shape) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return clusters;
}

}  // namespace synthoscope::cuda
