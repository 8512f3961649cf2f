// SPDX-License-Identifier: MIT
// tests/gpu/gpu_test.hpp — tests of a device: they skip, and say why, where there is none.
#pragma once
#include <gtest/gtest.h>
#include <cstdint>
#include "core/cuda/runtime/device.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::cuda {

/// The first device, and budgets that tests count in.
class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceList list = list_devices();
    if (list.devices.empty()) GTEST_SKIP() << list.why_none;
    info = list.devices.front();
    device = info.id;
  }

  DeviceInfo info;
  DeviceId device;
  MemoryBudget host{std::int64_t{2} << 30};
  MemoryBudget memory{std::int64_t{2} << 30, 0, "--gpu-memory"};
};

}  // namespace synthoscope::cuda
