// SPDX-License-Identifier: MIT
// core/cuda/code/loaded_kernels.hpp — kernels that this process has loaded, each once.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include "core/cuda/code/module.hpp"

namespace synthoscope::cuda {

/// The kernel that `name` stands for on a device: what `load` gave when it was first asked for. It
/// stays loaded, so that runs of milliseconds after each other do not begin by loading code.
/// @param name  of all that the code depends on within one process: library, file, kernel
/// @throws what `load` throws
Kernel loaded_once(DeviceId device, const std::string& name, const std::function<Kernel()>& load);

/// The same where it is loaded already.
std::optional<Kernel> loaded_before(DeviceId device, const std::string& name);

}  // namespace synthoscope::cuda
