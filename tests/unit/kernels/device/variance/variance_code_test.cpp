// SPDX-License-Identifier: MIT
// Kernels of local statistics compile for old and new devices. Needs no device; skips where NVRTC
// is not installed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include "kernels/device/code/programs.hpp"
#include "kernels/device/variance/scale_sweep.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(DeviceVarianceCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    std::vector<std::string> wanted{"merge_parts"};
    for (const PixelType type : {PixelType::uint8, PixelType::int32, PixelType::float32}) {
      wanted.push_back(fmt::format("bring_voxels<{}>", cuda_name(type)));
      for (const char* const results : {"StatisticResults", "ContrastResults"}) {
        wanted.push_back(fmt::format("finish_window<{}<{}>>", results, cuda_name(type)));
        for (const int scales : {1, kMaxScales})
          wanted.push_back(
              fmt::format("sweep_scales<{0}, {1}<{0}>, {2}>", cuda_name(type), results, scales));
      }
    }
    EXPECT_EQ(cuda::compile(device_library().program("variance/variance.cuh", wanted, capability))
                  .kernels.size(),
              wanted.size());
  }
}

TEST(DeviceVarianceCode, CompilesEveryOtherWay) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  const std::pair<const char*, std::vector<std::string>> programs[] = {
      {"variance/merge_run.cuh",
       {"merge_lines<unsigned char, StatisticResults<float>, true, 0, 0, 1>",
        "merge_lines<float, StatisticResults<unsigned short>, false, 0, 0, 1, 0, 1, 2>",
        "merge_columns<float, ContrastResults<float>, false, false, 0, 0, 1, 0, 1, 2, 2, 2, 5, 3, "
        "0, "
        "8>",
        "merge_columns<unsigned short, ContrastResults<unsigned char>, true, true, 0, 0, 1>"}},
      {"variance/merge_taps.cuh",
       {"merge_line_taps<float, StatisticResults<float>, 4>",
        "merge_column_taps<float, StatisticResults<float>, false, false, 6>",
        "merge_column_taps<unsigned char, ContrastResults<float>, true, true, 2>"}},
      {"variance/direct_variance.cuh",
       {"bring_voxels<double>", "go_through_windows<float, DirectWay::two_pass, 1>",
        "go_through_windows<unsigned char, DirectWay::online, 1>",
        "go_through_windows<unsigned short, DirectWay::pairwise, 7>",
        "go_through_windows<float, DirectWay::koenig, 1>"}},
      {"variance/integral_variance.cuh",
       {"sum_rows<unsigned char>", "sum_rows<short>", "total_strips", "sum_lines",
        "take_boxes<float>", "take_boxes<unsigned char>"}}};
  for (const int capability : {75, 90})
    for (const auto& [source, kernels] : programs)
      EXPECT_EQ(cuda::compile(device_library().program(source, kernels, capability)).kernels.size(),
                kernels.size());
}

TEST(DeviceVarianceCode, SweepsTheFirstScalesInTheOrderOfTheHostAlone) {
  const auto flat = [](double size) { return LocalWindow{WindowShape::triangle, 1, size, size}; };
  struct {
    std::vector<LocalWindow> windows;
    int scales;
  } const cases[] = {
      {{flat(2)}, 1},
      {{flat(2), flat(4), flat(8), flat(16), flat(32)}, 5},
      {{flat(2), flat(4), flat(8), flat(16), flat(32), flat(64)}, 0},
      {{flat(4), flat(8)}, 0},  // axis by axis: 4 along x before any along y
      {{flat(2), flat(8)}, 0},
      {{flat(2), flat(2)}, 0},
      {{{WindowShape::triangle, 2, 2, 2}}, 0},
      {{{WindowShape::box, 1, 2, 2}}, 0},
  };
  for (const auto& [windows, scales] : cases)
    EXPECT_EQ(scales_of(windows), scales) << print_window(windows.back());
}

TEST(DeviceVarianceCode, TakesNoMoreSharedMemoryThanABlockOfAnH200Has) {
  EXPECT_LE(sweep_shared_bytes(kMaxScales), 227 << 10);
  // The last merge of the last scale looks back over 16 rows, twice, and is 31 rows behind
  EXPECT_EQ(kept_voxel_rows(5), 31 + 16 + kSweepRows);
}

}  // namespace
}  // namespace synthoscope::kernels::device
