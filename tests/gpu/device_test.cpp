// SPDX-License-Identifier: MIT
#include "core/cuda/device.hpp"
#include <cuda_runtime_api.h>
#include <set>
#include "core/cuda/scoped_device.hpp"
#include "core/error.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace synthoscope::cuda {
namespace {

using Device = GpuTest;

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

TEST_F(Device, ThatIsNotThereIsRefused) {
  EXPECT_THROW(ScopedDevice{DeviceId{9999}}, CudaError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a failure that was told leaves nothing behind";
}

}  // namespace
}  // namespace synthoscope::cuda
