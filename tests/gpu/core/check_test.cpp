// SPDX-License-Identifier: MIT
// Needs no device: CUDA's runtime names its errors without one.
#include "core/cuda/runtime/check.hpp"
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::cuda {
namespace {

TEST(Check, SaysNothingOfSuccess) {
  EXPECT_NO_THROW(check(cudaSuccess, "do nothing"));
}

TEST(Check, SaysTheStepAndCudasNameOfTheError) {
  test::expect_failure<CudaError>([] { check(cudaErrorIllegalAddress, "run the columns"); },
                                  {"run the columns: ", "cudaErrorIllegalAddress"});
  test::expect_failure<CudaError>([] { check(cudaErrorInsufficientDriver, "look for GPUs"); },
                                  {"install a newer driver"});
}

TEST(Check, TellsThatMemoryIsMissing) {
  test::expect_failure<OutOfDeviceMemory>([] { check(cudaErrorMemoryAllocation, "take 1 GiB"); },
                                          {"take 1 GiB: ", "--gpu-memory"});
}

}  // namespace
}  // namespace synthoscope::cuda
