// SPDX-License-Identifier: MIT
// kernels/visual_words/device_word_map.hpp — word maps made on a device, a few planes of responses
// at a time.
#pragma once
#include <memory>
#include "kernels/banks/tiles.hpp"
#include "kernels/body/scaled_responses.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::kernels::device {

/// Makes words of `type`, as NearestWord gives them for the features that a device makes. Null if a
/// field of the bank cannot run on a device, as in a build without CUDA.
/// @param bank        must outlive the result
/// @param dictionary  with as many features as the bank has responses
std::unique_ptr<DeviceOperation> make_device_word_map(const BankTiles& bank,
                                                      const ResponseScale& scale,
                                                      const Dictionary& dictionary, PixelType type);

}  // namespace synthoscope::kernels::device
