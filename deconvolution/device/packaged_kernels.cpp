// SPDX-License-Identifier: MIT
#include "deconvolution/device/packaged_kernels.hpp"
#include <fmt/format.h>
#include "deconvolution/device/code/programs.hpp"
#include "fftconv/lines/tuned_lines.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::deconvolution::device {
namespace {

using namespace fftconv::device;

}  // namespace

std::string residual_rows_name(const BlockShape& s) {
  return fmt::format("residual_rows<{}, {}, {}, {}>", type_name(s.line), s.lines, s.pad_every,
                     s.blocks);
}

std::string update_rows_name(const BlockShape& s, bool has_momentum) {
  return fmt::format("update_rows<{}, {}, {}, {}, {}>", type_name(s.line), s.lines, s.pad_every,
                     has_momentum, s.blocks);
}

std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device) {
  const BlockLimits limits = block_limits(device);
  std::vector<cuda::KernelName> kernels;
  for (const char* const name : kPlainKernelNames) kernels.push_back({kStepsProgram, name});
  for (std::int64_t n = 1; n <= longest_measured_line(); ++n) {
    if (!is_device_length(n, limits) || !is_preferred(n, fftconv::LineKind::row, limits)) continue;
    const BlockShape shape = changing_row_shape(n, limits);
    kernels.push_back({kStepsProgram, residual_rows_name(shape)});
    for (const bool has_momentum : {false, true})
      kernels.push_back({kStepsProgram, update_rows_name(shape, has_momentum)});
  }
  return kernels;
}

}  // namespace synthoscope::deconvolution::device
