// SPDX-License-Identifier: MIT
// Every kind of kernel compiles for old and new devices. Needs
// no device; skips where NVRTC is not installed.
#include <gtest/gtest.h>
#include "core/cuda/code/runtime_compiler.hpp"
#include "fftconv/device/code/programs.hpp"
#include "fftconv/device/passes/kernel_names.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::fftconv::device {
namespace {

DeviceLayout layout_for(std::int64_t shared_bytes) {
  const BlockLimits limits{shared_bytes, 1024, 65536};
  DeviceLayout sizes;
  sizes.rows = row_shape(75, limits);
  sizes.columns_y = column_shape(56, limits, LineKind::column);
  sizes.columns_z = column_shape(64, limits, LineKind::along_z);
  return sizes;
}

TEST(DeviceCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  PassList list;
  const ColumnPass listed{Pass::forward, Choice::listed, Choice::all, false};
  list.planes = {{{PixelType::uint8, Placing::front}, Choice::listed, listed},
                 {{PixelType::int32, Placing::listed}, Choice::listed, listed},
                 {{PixelType::float32, Placing::whole}, Choice::listed, listed}};
  list.columns_y = {{Pass::inverse, Choice::all, Choice::front, false}};
  list.columns_z = {{Pass::convolve, Choice::front, Choice::front, true},
                    {Pass::convolve, Choice::listed, Choice::listed, false},
                    {Pass::correlate, Choice::front, Choice::front, false}};
  list.sums_planes = true;
  for (const auto& [capability, shared_bytes] : {std::pair{75, 64 << 10}, {90, 227 << 10}}) {
    auto wanted = kernels_for(layout_for(shared_bytes), list);
    EXPECT_EQ(wanted.size(), 10u) << "rows back among them";
    for (const PixelType stored : {PixelType::uint16, PixelType::int32})
      wanted.push_back({rows_back_name(layout_for(shared_bytes).rows, stored), 0});
    cuda::CompileRequest request = device_library().program(kProgram, {}, capability);
    for (const WantedKernel& kernel : wanted) request.kernels.push_back(kernel.name);
    EXPECT_EQ(cuda::compile(request).kernels.size(), wanted.size());
  }
}

TEST(DeviceCode, OfWholePlanesCompilesForDevicesWithClusters) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  PassList list;
  list.planes = {{{PixelType::uint8, Placing::front}, Choice::front, {}},
                 {{PixelType::float64, Placing::listed}, Choice::listed, {}},
                 {{PixelType::float32, Placing::whole}, Choice::all, {}}};
  list.columns_z = {{Pass::forward, Choice::listed, Choice::all, false},
                    {Pass::convolve, Choice::front, Choice::front, true},
                    {Pass::correlate, Choice::front, Choice::front, false}};
  list.sums_planes = true;
  list.stored = PixelType::uint16;
  list.convolved = {list.planes.front()};
  const BlockLimits limits{227 << 10, 1024, 65536, true};
  for (const int classes : {1, 2, 4}) {
    const PlanePasses passes =
        plane_passes({{24, 1, {6, 4}}, {16, 1, {4, 4}}, 4, classes, 96, 2}, 64, limits);
    ASSERT_TRUE(passes.any());
    const auto wanted = kernels_for_planes(passes, list);
    EXPECT_EQ(wanted.size(), 9u);
    cuda::CompileRequest request = device_library().program(kProgram, {}, 90);
    for (const WantedKernel& kernel : wanted) request.kernels.push_back(kernel.name);
    EXPECT_EQ(cuda::compile(request).kernels.size(), wanted.size());
  }
}

TEST(DeviceCode, BesideALibraryCompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    cuda::CompileRequest request = device_library().program(kPlainProgram, {}, capability);
    for (const PixelType type : {PixelType::uint8, PixelType::int32, PixelType::float64})
      for (const Placing placing : {Placing::whole, Placing::front, Placing::listed})
        request.kernels.push_back(place_rows_name({type, placing}));
    for (const PixelType stored : {PixelType::uint16, PixelType::float32})
      request.kernels.push_back(store_rows_name(stored));
    for (const char* name :
         {kGatherStripName, kMultiplyStripName, kScatterStripName, kMultiplySpectraName})
      request.kernels.emplace_back(name);
    EXPECT_EQ(cuda::compile(request).kernels.size(), request.kernels.size());
  }
}

TEST(DeviceCode, OfPartsCompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const auto& [capability, shared_bytes] : {std::pair{75, 64 << 10}, {90, 227 << 10}}) {
    const BlockLimits limits{shared_bytes, 1024, 65536};
    cuda::CompileRequest request = device_library().program(kProgram, {}, capability);
    // One stage, a part of a warp a row, and several warps a row
    for (const int length : {14, 150, 1024}) {
      const BlockShape shape = row_shape(length, limits);
      request.kernels.push_back(fold_rows_name(shape, {PixelType::uint16, Placing::front}));
      request.kernels.push_back(fold_rows_name(shape, {PixelType::int32, Placing::listed}));
      request.kernels.push_back(part_rows_back_name(shape));
    }
    // In registers, two voxels a thread and one, and beyond them
    for (const int parts : {1, 16, 17, 256}) request.kernels.push_back(unfold_parts_name(parts));
    EXPECT_EQ(cuda::compile(request).kernels.size(), request.kernels.size());
  }
}

}  // namespace
}  // namespace synthoscope::fftconv::device
