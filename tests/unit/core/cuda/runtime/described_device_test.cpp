// SPDX-License-Identifier: MIT
#include "core/cuda/runtime/described_device.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"

namespace synthoscope::cuda {
namespace {

TEST(DescribedDevice, HasTheLimitsOfItsKind) {
  for (const int capability : {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}) {
    const DeviceInfo device = described_device(capability);
    EXPECT_EQ(device.capability, capability);
    EXPECT_GE(device.shared_bytes, 64 << 10) << capability;
    EXPECT_LE(device.shared_bytes, device.shared_bytes_per_multiprocessor) << capability;
    EXPECT_EQ(device.registers_per_multiprocessor, 65536) << capability;
  }
  EXPECT_EQ(described_device(90).shared_bytes, 227 << 10);
}

TEST(DescribedDevice, IsRefusedIfItsKindIsUnknown) {
  try {
    static_cast<void>(described_device(91));
    FAIL();
  } catch (const InvalidSpec& refusal) {
    EXPECT_STREQ(
        refusal.what(),
        "describe a GPU of compute capability 91: it is unknown; give one of 75, 80, 86, 87, "
        "89, 90, 100, 103, 110, 120, 121");
  }
}

}  // namespace
}  // namespace synthoscope::cuda
