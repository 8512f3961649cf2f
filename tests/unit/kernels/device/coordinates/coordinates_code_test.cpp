// SPDX-License-Identifier: MIT
// Every way to multiply coordinates compiles for old and new devices. Needs no device; skips where
// NVRTC is not installed.
#include <gtest/gtest.h>
#include "core/cuda/code/runtime_compiler.hpp"
#include "kernels/device/code/programs.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(CoordinatesCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    const auto request = device_library().program(
        "coordinates/coordinates.cuh",
        {"write_targets", "multiply_naive", "multiply_tiled<2, 128, 3>", "multiply_tiled<3, 3, 3>",
         "multiply_tiled<16, 16, 2>", "multiply_summa", "coordinates_fused"},
        capability);
    EXPECT_EQ(cuda::compile(request).kernels.size(), request.kernels.size());
  }
}

}  // namespace
}  // namespace synthoscope::kernels::device
