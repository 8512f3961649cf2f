// SPDX-License-Identifier: MIT
// Every kernel compiles for old and new devices. Needs no device; skips where NVRTC is not
// installed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include "simulator/device/programs.hpp"
#include "simulator/phantom/flat/plain_phantom.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::simulator::device {
namespace {

TEST(DeviceCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    const auto camera =
        device_library().program("camera.cuh", {"record<unsigned short>"}, capability);
    EXPECT_EQ(cuda::compile(camera).kernels.size(), 1U);
    const auto light = device_library().program(
        "light.cuh", {"sum_rows", "finish_photons", "light_in_stripes", "weigh"}, capability);
    EXPECT_EQ(cuda::compile(light).kernels.size(), 4U);
    const auto phantom =
        device_library().program("phantom.cuh",
                                 {fmt::format("render_light<{}>", PlainBodies::kEvery),
                                  fmt::format("render_labels<{}>", PlainBodies::kEvery)},
                                 capability);
    EXPECT_EQ(cuda::compile(phantom).kernels.size(), 2U);
  }
}

}  // namespace
}  // namespace synthoscope::simulator::device
