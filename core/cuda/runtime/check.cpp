// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/check.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::cuda {

void check(int status, std::string_view step) {
  if (status == cudaSuccess) return;
  const auto error = static_cast<cudaError_t>(status);
  cudaGetLastError();  // otherwise the next call would report this error again
  const auto found = fmt::format("{}: CUDA reports {} ({})", step, cudaGetErrorName(error),
                                 cudaGetErrorString(error));
  if (error == cudaErrorMemoryAllocation)
    throw OutOfDeviceMemory(found +
                            "; lower --gpu-memory, or stop other programs that use this GPU");
  if (error == cudaErrorInsufficientDriver)
    throw CudaError(found + "; install a newer driver for the GPU");
  throw CudaError(
      found +
      "; run again, and if it happens again, report it with the output of `synthoscope devices`");
}

}  // namespace synthoscope::cuda
