// SPDX-License-Identifier: MIT
// Every kind of kernel compiles for old and new devices. Needs no device; skips where NVRTC is not
// installed.
#include <gtest/gtest.h>
#include "core/cuda/code/runtime_compiler.hpp"
#include "kernels/device/code/programs.hpp"
#include "tests/support/no_compiler.hpp"

namespace synthoscope::kernels::device {
namespace {

TEST(KernelsDeviceCode, CompilesForOldAndNewDevices) {
  if (const auto why = test::why_no_compiler(); !why.empty()) GTEST_SKIP() << why;
  const std::pair<const char*, std::vector<std::string>> programs[] = {
      {"correlate/correlate.cuh",
       {"correlate_global<unsigned short, unsigned char>", "correlate_shared<float, float, 6>",
        "correlate_register<float, unsigned short, March::along_y, 5, 1, 4, 4, 4>",
        "correlate_register<unsigned char, float, March::along_z, 3, 4, 5, 2, 8>"}},
      {"correlate/separable.cuh",
       {"correlate_axis<double, int>",
        "correlate_rows_and_columns<unsigned char, unsigned char, 7, 5, 4, 4, 1, 1>",
        "correlate_columns<float, float, March::along_z, 9, 2, 4, 1, 3>",
        "correlate_columns<short, float, March::along_y, 3, 4, 4, 1, 2>",
        "correlate_axis<float, unsigned char, true>",
        "correlate_rows_and_columns<float, float, 49, 49, 2, 4, 1, 3, true>",
        "correlate_columns<unsigned char, unsigned short, March::along_y, 3, 4, 4, 1, 2, true>"}},
      {"banks/bank.cuh",
       {"answer_fields<0>", "answer_fields<2>", "answer_fields<4>", "answer_fields<5>",
        "store_responses<float>", "store_responses<unsigned char>"}},
      {"visual_words/word_map.cuh",
       {"nearest_word<unsigned char, 8>", "nearest_word<unsigned short, 14>",
        "nearest_word<unsigned char, 48>"}},
      {"correlate/volume.cuh",
       {"correlate_volume<float, float, 5, 5, 5, 4, 16, 1>",
        "correlate_volume<unsigned short, unsigned char, 2, 1, 9, 4, 8, 3>"}}};
  for (const int capability : {75, 90})
    for (const auto& [source, kernels] : programs)
      EXPECT_EQ(cuda::compile(device_library().program(source, kernels, capability)).kernels.size(),
                kernels.size());
}

}  // namespace
}  // namespace synthoscope::kernels::device
