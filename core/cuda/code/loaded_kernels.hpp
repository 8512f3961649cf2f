// SPDX-License-Identifier: MIT
// core/cuda/code/loaded_kernels.hpp — kernels that this process has loaded, each once.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include "core/cuda/code/module.hpp"

namespace synthoscope::cuda {

/// Returns the kernel `name` on a device, loaded by `load` on first use. It stays loaded, so that a
/// series of runs of milliseconds loads its code once.
/// @param name   identifies the code within this process: library, file, kernel
/// @throws what `load` throws
Kernel loaded_once(DeviceId device, const std::string& name, const std::function<Kernel()>& load);

/// The same where it is loaded already.
std::optional<Kernel> loaded_before(DeviceId device, const std::string& name);

}  // namespace synthoscope::cuda
