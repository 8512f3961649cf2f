// SPDX-License-Identifier: MIT
// kernels/banks/device_filter_bank.hpp — all responses of a bank of filters, made on a device from
// one window.
#pragma once
#include <memory>
#include "kernels/banks/tiles.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {

/// Makes responses of `type`: plane p * N + n of the result is response n of N at plane p of the
/// image, scaled. Null if a field of the bank cannot run on a device, as in a build without CUDA.
/// @param bank  must outlive the result
std::unique_ptr<DeviceOperation> make_device_filter_bank(const BankTiles& bank, PixelType type,
                                                         const ResponseScale& scale,
                                                         TellCounts tell);

}  // namespace synthoscope::kernels::device
