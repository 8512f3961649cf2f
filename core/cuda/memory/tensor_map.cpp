// SPDX-License-Identifier: MIT
#include "core/cuda/memory/tensor_map.hpp"
#include <cuda.h>
#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include "core/base/error.hpp"
#include "core/cuda/runtime/driver_function.hpp"

namespace synthoscope::cuda {

std::array<unsigned long long, 16> tensor_map(const TensorShape& shape) {
  constexpr unsigned kVersion = 12000;
  static const auto encode =
      driver_function<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled", kVersion);
  if (!encode)
    throw CudaError(
        "describe an array to the GPU: its driver is older than CUDA 12; install a newer driver");
  std::array<cuuint64_t, 4> lengths{};
  std::array<cuuint64_t, 3> steps{};
  std::array<cuuint32_t, 4> box{}, every{1, 1, 1, 1};
  std::copy(shape.lengths.begin(), shape.lengths.end(), lengths.begin());
  std::copy(shape.steps.begin(), shape.steps.end(), steps.begin());
  std::copy(shape.box.begin(), shape.box.end(), box.begin());
  CUtensorMap map;
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 4, const_cast<void*>(shape.values),
             lengths.data(), steps.data(), box.data(), every.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw CudaError(fmt::format("describe an array to the GPU: the driver refuses it (error {})",
                                static_cast<int>(result)));
  return std::bit_cast<std::array<unsigned long long, 16>>(map);
}

}  // namespace synthoscope::cuda
