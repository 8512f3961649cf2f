// SPDX-License-Identifier: MIT
// Every kind of kernel compiles for old and new devices, and a package has those that runs ask for.
// Needs no device; skips where NVRTC is not installed.
#include <gtest/gtest.h>
#include <algorithm>
#include "core/cuda/code/runtime_compiler.hpp"
#include "core/cuda/runtime/described_device.hpp"
#include "deconvolution/device/code/programs.hpp"
#include "deconvolution/device/packaged_kernels.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "fftconv/device/passes/kernel_names.hpp"
#include "fftconv/device/passes/packaged_kernels.hpp"
#include "fftconv/device/resident_convolution.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::deconvolution::device {
namespace {

using namespace fftconv::device;

TEST(StepsOnDevice, CompileForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  for (const int capability : {75, 90}) {
    const BlockLimits limits = block_limits(cuda::described_device(capability));
    cuda::CompileRequest request = device_library().program(kStepsProgram, {}, capability);
    for (const char* const name : kPlainKernelNames) request.kernels.emplace_back(name);
    // One stage, a part of a warp a row, and several warps a row
    for (const int length : {14, 150, 1024}) {
      const BlockShape shape = changing_row_shape(length, limits);
      request.kernels.push_back(residual_rows_name(shape));
      for (const bool has_momentum : {false, true})
        request.kernels.push_back(update_rows_name(shape, has_momentum));
    }
    EXPECT_EQ(cuda::compile(request).kernels.size(), request.kernels.size());
  }
}

bool has(const std::vector<cuda::KernelName>& kernels, const std::string& name) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const cuda::KernelName& kernel) { return kernel.name == name; });
}

TEST(StepsOnDevice, ComeWithAPackage) {
  constexpr ColumnPass kCorrelate{Pass::correlate, Choice::front, Choice::front, false};
  const Geometry geometries[] = {{{101, 2048, 2048}, {61, 81, 81}, {30, 40, 40}},
                                 {{40, 300, 500}, {21, 33, 30}, {10, 16, 15}},
                                 {{1, 1000, 1200}, {1, 65, 64}, {0, 32, 32}}};
  for (const int capability : {80, 90, 120}) {
    const cuda::DeviceInfo info = cuda::described_device(capability);
    const auto steps = packaged_kernels(info);
    const auto passes = fftconv::device::packaged_kernels(info);
    for (const Geometry& geometry : geometries) {
      const BlockLimits limits = block_limits(info);
      const Extent3 n = resident_plan(blur_problem(geometry), info).transform;
      SCOPED_TRACE(testing::Message() << capability << ": " << n);
      const BlockShape rows = changing_row_shape(n.x / 2, limits);
      EXPECT_TRUE(has(steps, residual_rows_name(rows)));
      for (const bool has_momentum : {false, true})
        EXPECT_TRUE(has(steps, update_rows_name(rows, has_momentum)));
      for (const Placing placing : {Placing::front, Placing::listed})
        EXPECT_TRUE(has(passes, rows_forward_name(rows, {PixelType::float32, placing})));
      EXPECT_TRUE(has(passes, rows_back_name(rows, PixelType::float32)));
      EXPECT_TRUE(has(
          passes, columns_name(column_shape(n.z, limits, fftconv::LineKind::along_z), kCorrelate)));
    }
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution::device
