// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include "core/cuda/device.hpp"
#include "core/error.hpp"

namespace synthoscope::cuda {

DeviceList list_devices() {
  return {{}, "this program was built without CUDA"};
}

DeviceMemory memory_of(DeviceId) {
  throw CudaError(
      "ask how much memory a GPU has left: this program was built without CUDA; build it with "
      "SYNTHOSCOPE_CUDA=ON where CUDA is installed");
}

}  // namespace synthoscope::cuda
