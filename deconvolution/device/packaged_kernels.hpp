// SPDX-License-Identifier: MIT
// deconvolution/device/packaged_kernels.hpp — names of the kernels of an iteration, and all kernels
// that come compiled with a package.
#pragma once
#include <string>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/runtime/device.hpp"
#include "fftconv/lines/shape.hpp"

namespace synthoscope::deconvolution::device {

/// Names in namespace synthoscope::deconvolution::device, as steps.cuh has them.
std::string residual_rows_name(const fftconv::device::BlockShape& rows);
std::string update_rows_name(const fftconv::device::BlockShape& rows, bool has_momentum);
inline constexpr const char *kFillEvenlyName = "fill_evenly", *kGoBeyondName = "go_beyond",
                            *kSumRowsName = "sum_rows", *kAddRowsName = "add_rows";
/// The same for rows of all lengths.
inline constexpr const char* kPlainKernelNames[] = {kFillEvenlyName, kGoBeyondName, kSumRowsName,
                                                    kAddRowsName};

/// Returns the kernels for rows of all lengths that plans prefer (is_preferred in tuned_lines.hpp).
std::vector<cuda::KernelName> packaged_kernels(const cuda::DeviceInfo& device);

}  // namespace synthoscope::deconvolution::device
