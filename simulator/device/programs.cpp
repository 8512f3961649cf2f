// SPDX-License-Identifier: MIT
#include "simulator/device/programs.hpp"
#include "core/cuda/code/device_program.hpp"
#include "core/cuda/code/loaded_kernels.hpp"
#include "simulator/device/sources.hpp"

namespace synthoscope::simulator::device {

cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability) {
  return cuda::program_of({"simulator", device_sources(), device_options()}, source, kernels,
                          capability);
}

cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel) {
  return cuda::loaded_once(device.id, "simulator " + source + " " + kernel, [&] {
    return cuda::compile_kernel(device, program_of(source, {kernel}, device.capability));
  });
}

}  // namespace synthoscope::simulator::device
