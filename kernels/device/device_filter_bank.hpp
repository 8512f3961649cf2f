// SPDX-License-Identifier: MIT
// kernels/device/device_filter_bank.hpp — all responses of a bank of filters, made on a device of
// one window.
#pragma once
#include <memory>
#include <vector>
#include "kernels/device_operation.hpp"

namespace synthoscope::kernels::device {

/// A response: the filter's, or the strongest of several filters', which give float32.
struct DeviceResponse {
  std::vector<DeviceOperation*> filters;  ///< of one plane of the image each
  bool takes_magnitudes = false;
};

/// Plane p * N + n of the result, of `type`, is response n of N to plane p of the image. In a build
/// without CUDA, null.
/// @param responses  whose filters outlive what is made
std::unique_ptr<DeviceOperation> make_device_filter_bank(std::vector<DeviceResponse> responses,
                                                         PixelType type, TellCounts tell);

}  // namespace synthoscope::kernels::device
