// SPDX-License-Identifier: MIT
// kernels/device/code/programs.hpp — programs of this library's device code, and windows as
// their arguments.
#pragma once
#include "core/cuda/code/cuda_name.hpp"
#include "core/cuda/code/device_library.hpp"
#include "kernels/device/code/window_arguments.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {

const cuda::DeviceLibrary& device_library();

using cuda::cuda_name;

HeldVoxels held_voxels(const DeviceWindow& window);
MadeVoxels made_voxels(const Box3& box, std::byte* out, unsigned long long* counts);

}  // namespace synthoscope::kernels::device
