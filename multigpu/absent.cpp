// SPDX-License-Identifier: MIT
// What every build may ask, in one without CUDA.
#include "core/base/error.hpp"
#include "multigpu/parts_of_many.hpp"

namespace synthoscope::multigpu {

std::unique_ptr<PartsOfMany> make_parts_of_many(const std::vector<cuda::DeviceInfo>&,
                                                std::int64_t) {
  throw CudaError(
      "convolve on several GPUs: this program was built without CUDA; build it with "
      "SYNTHOSCOPE_CUDA=ON where CUDA is installed, or give --gpus none");
}

}  // namespace synthoscope::multigpu
