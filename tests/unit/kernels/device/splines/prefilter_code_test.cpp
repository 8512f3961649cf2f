// SPDX-License-Identifier: MIT
// The fit of splines compiles for old and new devices. Needs no device; skips where NVRTC is not
// installed.
#include <gtest/gtest.h>
#include "core/cuda/code/runtime_compiler.hpp"
#include "kernels/device/code/programs.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(SplineCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  const std::vector<std::string> kernels{"fit_planes<float, true, 4, 4>",
                                         "fit_planes<unsigned char, true, 4, 4>",
                                         "fit_planes<double, false, 8, 4>", "fit_columns<8, 7>"};
  for (const int capability : {75, 90})
    EXPECT_EQ(cuda::compile(device_library().program("splines/prefilter.cuh", kernels, capability))
                  .kernels.size(),
              kernels.size());
}

}  // namespace
}  // namespace synthoscope::kernels::device
