// SPDX-License-Identifier: MIT
// Kernels that resample compile for old and new devices. Needs no device; skips where NVRTC is not
// installed.
#include <gtest/gtest.h>
#include "kernels/device/code/programs.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(DeviceResampleCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  const std::pair<const char*, std::vector<std::string>> programs[] = {
      {"resample/resample.cuh",
       {"resample_pixel<float, float, LinearTaps, 1, 2, Along::planes, Along::columns, 32, 4, 3>",
        "resample_pixel<int, float, CubicTaps, 4, 1, Along::columns, Along::rows, 8, 2, 4>",
        "resample_pixel<double, double, NearestTap, 1, 1, Along::planes, Along::rows, 32, 4, 4>",
        "resample_pixel<unsigned, short, NearestTap, 1, 1, Along::rows, Along::rows, 16, 4, 4>"}},
      {"resample/at.cuh",
       {"resample_at<float, float, LinearTaps, 1, 2, 4, 3>",
        "resample_at<unsigned short, unsigned char, LanczosTaps, 1, 1, 2, 3>",
        "resample_at<int, int, NearestTap, 1, 1, 4, 3>"}},
      {"resample/column.cuh",
       {"resample_column<float, float, LinearTaps, 2, 2, 4, 4>",
        "resample_column<unsigned char, unsigned char, LanczosTaps, 1, 6, 1, 3>",
        "resample_column<unsigned short, float, NearestTap, 1, 1, 4, 4>"}},
      {"resample/tile.cuh",
       {"resample_tile<float, float, LinearTaps, 1, 2, Along::planes, Along::columns, 16, 4, 3, "
        "12000>",
        "resample_tile<int, int, NearestTap, 1, 1, Along::planes, Along::rows, 32, 4, 4, 12000>"}},
      {"resample/warp.cuh",
       {"resample_warp<float, unsigned char, CubicTaps, 4, 4, Projective, false, 8, 1, 3>",
        "resample_warp<float, float, LinearTaps, 1, 2, ThinPlate, true, 32, 4, 3>",
        "resample_warp<float, float, LanczosTaps, 6, 6, ThinPlate, false, 16, 1, 3>",
        "resample_warp<int, int, NearestTap, 1, 1, DisplacementBox, true, 32, 4, 3>"}}};
  for (const int capability : {75, 90})
    for (const auto& [source, wanted] : programs)
      EXPECT_EQ(cuda::compile(device_library().program(source, wanted, capability)).kernels.size(),
                wanted.size());
}

}  // namespace
}  // namespace synthoscope::kernels::device
