// SPDX-License-Identifier: MIT
// core/cuda/memory/tensor_map.hpp — arrays as a device's copying unit knows them: kernels copy
// boxes of them into shared memory. From sm_90 on.
#pragma once
#include <array>
#include <cstdint>

namespace synthoscope::cuda {

/// Values of 8 bytes in four axes, the fastest first.
struct TensorShape {
  const void* values = nullptr;  ///< in the memory of the current device
  std::array<std::int64_t, 4> lengths{};
  std::array<std::int64_t, 3> steps{};  ///< bytes from one element to the next, of axes 1 to 3
  std::array<int, 4> box{};             ///< of the values that are copied at once, at most 256
};

/// Returns the bits of a CUtensorMap. @throws CudaError  the driver has none, or refuses this one.
std::array<unsigned long long, 16> tensor_map(const TensorShape& shape);

}  // namespace synthoscope::cuda
