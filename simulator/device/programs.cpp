// SPDX-License-Identifier: MIT
#include "simulator/device/programs.hpp"
#include "core/cuda/code_cache.hpp"
#include "simulator/device/sources.hpp"

namespace synthoscope::simulator::device {

cuda::CompileRequest program_of(const std::string& source, const std::vector<std::string>& kernels,
                                int capability) {
  cuda::CompileRequest request{{"simulator.cu", "#include \"simulator/device/" + source +
                                                    "\"\nusing namespace "
                                                    "synthoscope::simulator::device;\n"},
                               device_sources(),
                               kernels,
                               device_options(),
                               capability};
  // Headers of the standard library that shared bodies include
  for (const char* name : {"algorithm", "array", "bit", "cmath", "concepts", "cstddef", "cstdint",
                           "string_view", "vector"})
    request.headers.push_back({name, "#include \"simulator/device/standard.cuh\"\n"});
  return request;
}

cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const std::string& source,
                            const std::string& kernel) {
  const cuda::CompileRequest request = program_of(source, {kernel}, device.capability);
  const cuda::Module module{device.id, request,
                            cuda::compile_once(request, cuda::code_cache_folder())};
  return module.kernel(kernel);
}

}  // namespace synthoscope::simulator::device
