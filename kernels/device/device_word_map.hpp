// SPDX-License-Identifier: MIT
// kernels/device/device_word_map.hpp — word maps made on a device, a few planes of responses at a
// time.
#pragma once
#include <memory>
#include "kernels/bank_tiles.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/device_operation.hpp"
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::kernels::device {

/// The words, of `type`, that NearestWord gives of the features that a device makes. Null where a
/// field of the bank has no device, as in a build without CUDA.
/// @param bank        outlives what is made
/// @param dictionary  of as many features as the bank has responses
std::unique_ptr<DeviceOperation> make_device_word_map(const BankTiles& bank,
                                                      const ResponseScale& scale,
                                                      const Dictionary& dictionary, PixelType type);

}  // namespace synthoscope::kernels::device
