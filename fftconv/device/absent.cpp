// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include "core/base/error.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/device/volume_convolution.hpp"

namespace synthoscope::fftconv {

void device::convolve_volumes(const cuda::DeviceInfo&, MemoryBudget&, const Extent3&, double*,
                              const double*, const RunContext&) {
  throw CudaError("convolve volumes on the GPU: this program was built without CUDA");
}

std::int64_t device::volume_convolution_bytes(const cuda::DeviceInfo&, const Extent3&) {
  return 0;
}

std::unique_ptr<Executor> make_device_executor(const cuda::DeviceInfo&, std::int64_t,
                                               const Machine&, const std::filesystem::path&) {
  throw CudaError(
      "convolve on the GPU: this program was built without CUDA; build it with SYNTHOSCOPE_CUDA=ON "
      "where CUDA is installed, or give --gpus none");
}

}  // namespace synthoscope::fftconv
