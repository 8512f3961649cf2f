// SPDX-License-Identifier: MIT
// simulator/device/programs.hpp — programs of this library's device code.
#pragma once
#include "core/cuda/code/device_library.hpp"

namespace synthoscope::simulator::device {

const cuda::DeviceLibrary& device_library();

}  // namespace synthoscope::simulator::device
