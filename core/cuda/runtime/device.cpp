// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/device.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

/// "12.8" of 12080.
std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

DeviceInfo info_of(int index) {
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, index), "read the properties of a GPU");
  return {
      .id = {index},
      .name = p.name,
      .uuid = uuid_text(p.uuid),
      .capability = 10 * p.major + p.minor,
      .memory_bytes = static_cast<std::int64_t>(p.totalGlobalMem),
      .multiprocessors = p.multiProcessorCount,
      .l2_bytes = p.l2CacheSize,
      .shared_bytes = static_cast<std::int64_t>(p.sharedMemPerBlockOptin),
      .shared_bytes_per_multiprocessor = static_cast<std::int64_t>(p.sharedMemPerMultiprocessor),
      .registers_per_multiprocessor = p.regsPerMultiprocessor};
}

/// Why there is no device, for the errors that only say that.
std::string reason_of(cudaError_t status) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return "there is no NVIDIA driver on this machine";
  if (status == cudaErrorInsufficientDriver)
    return fmt::format(
        "the driver on this machine supports CUDA up to {}, but this program was built with {}; "
        "install a "
        "newer driver",
        version_text(driver), version_text(CUDART_VERSION));
  return "the driver shows no GPU to this program";
}

}  // namespace

DeviceList list_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ||
      (status == cudaSuccess && count == 0)) {
    cudaGetLastError();
    return {{}, reason_of(status)};
  }
  check(status, "look for GPUs");
  DeviceList list;
  for (int index = 0; index < count; ++index) list.devices.push_back(info_of(index));
  return list;
}

}  // namespace synthoscope::cuda
