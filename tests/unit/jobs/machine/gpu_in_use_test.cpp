// SPDX-License-Identifier: MIT
// A machine without a GPU: what is requested is refused every time, what is optional is not missed.
#include "jobs/machine/gpu_in_use.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::jobs {
namespace {

class WithoutGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::list_devices().devices.empty()) GTEST_SKIP() << "this machine has a GPU";
  }

  test::TestContext test_;
  Stages stages_;
  Stopwatch watch_{stages_};
  Workspace workspace_{test_.context, [] { return std::int64_t{0}; }, watch_};
};

TEST_F(WithoutGpu, NoneIsUsedIfItIsOptional) {
  for (const char* gpus : {"none", "auto"}) {
    const GpuChoice choice{gpus, {}};
    GpuInUse gpu{choice, workspace_};
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(gpu.device(), nullptr) << gpus;
      EXPECT_EQ(gpu.memory_bytes(), 0) << gpus;
    }
    fftconv::Machine machine;
    gpu.offer_to(machine);
    EXPECT_FALSE(machine.gpu) << gpus;
  }
  EXPECT_TRUE(test_.log.warnings.empty());
}

TEST_F(WithoutGpu, ARequestIsRefusedHoweverOften) {
  for (const char* gpus : {"all", "0", "GPU-5c2"}) {
    const GpuChoice choice{gpus, {}};
    GpuInUse gpu{choice, workspace_};
    for (int again = 0; again < 2; ++again) {
      EXPECT_THROW(static_cast<void>(gpu.device()), CudaError) << gpus;
      fftconv::Machine machine;
      EXPECT_THROW(gpu.offer_to(machine), CudaError) << gpus;
    }
  }
}

}  // namespace
}  // namespace synthoscope::jobs
