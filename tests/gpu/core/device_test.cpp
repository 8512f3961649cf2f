// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/device.hpp"
#include <cuda_runtime_api.h>
#include <set>
#include <string>
#include "core/base/error.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace synthoscope::cuda {
namespace {

class Device : public GpuTest {
 protected:
  StopFlag stop;
};

TEST_F(Device, HasWhatEveryGpuHas) {
  std::set<std::string> uuids;
  for (const DeviceInfo& d : list_devices().devices) {
    EXPECT_FALSE(d.name.empty());
    EXPECT_EQ(d.uuid.size(), 40u) << d.uuid;
    uuids.insert(d.uuid);
    EXPECT_GE(d.capability, 50);
    EXPECT_GT(d.memory_bytes, std::int64_t{1} << 28);
    EXPECT_GE(d.multiprocessors, 1);
    EXPECT_GE(d.l2_bytes, 1 << 17);
    EXPECT_GE(d.shared_bytes, 48 << 10);
    EXPECT_GE(d.shared_bytes_per_multiprocessor, d.shared_bytes);
    EXPECT_GE(d.registers_per_multiprocessor, 1 << 14);
  }
  EXPECT_EQ(uuids.size(), list_devices().devices.size()) << "every device has a uuid of its own";
}

TEST_F(Device, HasNoMoreMemoryFreeThanThereIs) {
  const DeviceMemory now = memory_of(device);
  EXPECT_GT(now.free_bytes, 0);
  EXPECT_LT(now.free_bytes, now.total_bytes) << "CUDA itself takes some";
  EXPECT_EQ(now.total_bytes, info.memory_bytes);
}

TEST_F(Device, IsCurrentForAScopeOnly) {
  const int last = static_cast<int>(list_devices().devices.size()) - 1;
  const ScopedDevice first{DeviceId{0}};
  {
    const ScopedDevice on{DeviceId{last}};
    int now = -1;
    ASSERT_EQ(cudaGetDevice(&now), cudaSuccess);
    EXPECT_EQ(now, last);
  }
  int now = -1;
  ASSERT_EQ(cudaGetDevice(&now), cudaSuccess);
  EXPECT_EQ(now, 0);
}

TEST_F(Device, IsStartedByItsFirstUse) {
  (void)memory_of(device);
  EXPECT_TRUE(is_started(device));
}

TEST_F(Device, MovesBytesAtRatesThatALinkCanHave) {
  const DeviceRates rates = measure_device(device, host, stop);
  for (const double rate : {rates.pinned_up, rates.pinned_down, rates.pinned_both,
                            rates.ordinary_up, rates.ordinary_down}) {
    EXPECT_GT(rate, 1e8);
    EXPECT_LT(rate, 2e12);
  }
  EXPECT_GT(rates.pinned_both, 0.8 * rates.pinned_up) << "both directions are no worse than one";
  EXPECT_LT(rates.pinned_both, 1.2 * (rates.pinned_up + rates.pinned_down));
  EXPECT_GT(rates.copy, 1e10);
  EXPECT_LT(rates.copy, 1e14);
  RecordProperty("pinned_up", std::to_string(rates.pinned_up));
  RecordProperty("pinned_down", std::to_string(rates.pinned_down));
  RecordProperty("pinned_both", std::to_string(rates.pinned_both));
  RecordProperty("ordinary_up", std::to_string(rates.ordinary_up));
  RecordProperty("ordinary_down", std::to_string(rates.ordinary_down));
  RecordProperty("copy", std::to_string(rates.copy));
  EXPECT_EQ(host.used(), 0);
}

TEST_F(Device, IsMeasuredWithinTheBudgetOfTheHost) {
  MemoryBudget small{kDeviceMeasuringBytes - 1};
  EXPECT_THROW((void)measure_device(device, small, stop), PlanError);
  stop.request();
  EXPECT_THROW((void)measure_device(device, host, stop), Interrupted);
}

TEST_F(Device, ThatIsNotThereIsRefused) {
  EXPECT_THROW(ScopedDevice{DeviceId{9999}}, CudaError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a failure that was told leaves nothing behind";
}

}  // namespace
}  // namespace synthoscope::cuda
