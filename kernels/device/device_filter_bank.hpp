// SPDX-License-Identifier: MIT
// kernels/device/device_filter_bank.hpp — all responses of a bank of filters, made on a device of
// one window.
#pragma once
#include <memory>
#include "kernels/bank_tiles.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device_operation.hpp"

namespace synthoscope::kernels::device {

/// Plane p * N + n of the result, of `type`, is response n of N to plane p of the image, scaled.
/// Null where a field of the bank has no device, as in a build without CUDA.
/// @param bank  outlives what is made
std::unique_ptr<DeviceOperation> make_device_filter_bank(const BankTiles& bank, PixelType type,
                                                         const ResponseScale& scale,
                                                         TellCounts tell);

}  // namespace synthoscope::kernels::device
