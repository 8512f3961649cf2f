// SPDX-License-Identifier: MIT
// core/cuda/runtime/driver_function.hpp — functions of CUDA's driver, which are found when the
// program runs.
#pragma once
#include <cuda_runtime_api.h>

namespace synthoscope::cuda {

/// Null where the driver has none. @param version  of CUDA, that it came with
template <class Function>
Function driver_function(const char* name, unsigned version) noexcept {
  void* found = nullptr;
  auto result = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
  if (status == cudaSuccess && result == cudaDriverEntryPointSuccess)
    return reinterpret_cast<Function>(found);
  cudaGetLastError();
  return nullptr;
}

}  // namespace synthoscope::cuda
