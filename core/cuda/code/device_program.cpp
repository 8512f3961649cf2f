// SPDX-License-Identifier: MIT
#include "core/cuda/code/device_program.hpp"
#include <fmt/format.h>
#include "core/base/assert.hpp"
#include "core/cuda/code/code_cache.hpp"

namespace synthoscope::cuda {

CompileRequest program_of(const DeviceCode& code, const std::string& source,
                          const std::vector<std::string>& kernels, int capability) {
  CompileRequest request{
      {code.library + ".cu",
       fmt::format("#include \"{0}/device/{1}\"\nusing namespace synthoscope::{0}::device;\n",
                   code.library, source)},
      code.sources,
      kernels,
      code.options,
      capability};
  for (const char* name : {"algorithm", "array", "bit", "cmath", "concepts", "cstddef", "cstdint",
                           "optional", "string_view", "type_traits", "vector"})
    request.headers.push_back({name, "#include \"core/cuda/code/standard.cuh\"\n"});
  request.headers.push_back(
      {"core/base/assert.hpp", "#define SYNTHOSCOPE_ASSERT(a, relation, b)\n"});
  return request;
}

Kernel compile_kernel(const DeviceInfo& device, const CompileRequest& program) {
  SYNTHOSCOPE_ASSERT(program.kernels.size(), ==, std::size_t{1});
  const Module module{device.id, program, compile_once(program, code_cache_folder())};
  return module.kernel(program.kernels.front());
}

}  // namespace synthoscope::cuda
