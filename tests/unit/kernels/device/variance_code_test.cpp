// SPDX-License-Identifier: MIT
// Kernels of local statistics compile for old and new devices. Needs no device; skips where NVRTC
// is not installed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include "kernels/device/programs.hpp"
#include "kernels/device/variance_arguments.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(DeviceVarianceCode, CompilesForOldAndNewDevices) {
  if (const auto why = cuda::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    std::vector<std::string> wanted{"merge_parts"};
    for (const PixelType type : {PixelType::uint8, PixelType::int32, PixelType::float32}) {
      wanted.push_back(fmt::format("bring_voxels<{}>", cuda_name(type)));
      wanted.push_back(fmt::format("store_statistic<{}>", cuda_name(type)));
      for (const int scales : {1, kMostScales})
        wanted.push_back(fmt::format("sweep_scales<{}, {}>", cuda_name(type), scales));
    }
    EXPECT_EQ(cuda::compile(program_of("variance.cuh", wanted, capability)).kernels.size(),
              wanted.size());
  }
}

TEST(DeviceVarianceCode, TakesNoMoreSharedMemoryThanABlockOfAnH200Has) {
  EXPECT_LE(sweep_shared_bytes(kMostScales), 227 << 10);
  // The last merge of the last scale looks back over 16 rows, twice, and is 31 rows behind
  EXPECT_EQ(kept_voxel_rows(5), 31 + 16 + kSweepRows);
}

}  // namespace
}  // namespace synthoscope::kernels::device
