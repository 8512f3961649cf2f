// SPDX-License-Identifier: MIT
#include "core/cuda/code/device_library.hpp"
#include <fmt/format.h>
#include <optional>
#include <utility>
#include "core/base/memo.hpp"
#include "core/cuda/code/code_cache.hpp"

namespace synthoscope::cuda {
namespace {

/// A device, and a kernel's library, source and name.
using LoadedName = std::pair<int, std::string>;

Memo<LoadedName, GpuKernel>& loaded() {
  // Never destroyed: CUDA may have ended before the process does
  static auto* const kernels = new Memo<LoadedName, GpuKernel>;
  return *kernels;
}

LoadedName loaded_name(const DeviceInfo& device, const std::string& library,
                       const std::string& source, const std::string& kernel) {
  return {device.id.index, fmt::format("{} {} {}", library, source, kernel)};
}

}  // namespace

DeviceLibrary::DeviceLibrary(std::string name, std::vector<SourceText> sources,
                             std::vector<std::string> options)
    : name_{std::move(name)}, headers_{std::move(sources)}, options_{std::move(options)} {
  for (const char* header : {"algorithm", "array", "bit", "cmath", "concepts", "cstddef", "cstdint",
                             "optional", "string_view", "type_traits", "vector"})
    headers_.push_back({header, "#include \"core/cuda/code/standard.cuh\"\n"});
  headers_.push_back({"core/base/assert.hpp", "#define SYNTHOSCOPE_ASSERT(a, relation, b)\n"});
}

CompileRequest DeviceLibrary::program(const std::string& source,
                                      const std::vector<std::string>& kernels,
                                      int capability) const {
  return {{name_ + ".cu",
           fmt::format("#include \"{0}/device/{1}\"\nusing namespace synthoscope::{0}::device;\n",
                       name_, source)},
          headers_,
          kernels,
          options_,
          capability};
}

GpuKernel DeviceLibrary::kernel(const DeviceInfo& device, const std::string& source,
                                const std::string& name) const {
  return loaded().get(loaded_name(device, name_, source, name), [&] {
    return load(device, source, {name, 0});
  });
}

std::map<std::string, GpuKernel> DeviceLibrary::kernels(const DeviceInfo& device,
                                                        const std::string& source,
                                                        const std::vector<WantedKernel>& wanted,
                                                        TaskPool& pool) const {
  std::map<std::string, GpuKernel> found;
  std::vector<const WantedKernel*> missing;
  for (const WantedKernel& one : wanted)
    if (auto kernel = loaded().known(loaded_name(device, name_, source, one.name)))
      found.emplace(one.name, *std::move(kernel));
    else
      missing.push_back(&one);
  if (missing.empty()) return found;  // threads would take longer to wake

  std::vector<std::optional<GpuKernel>> made(missing.size());
  pool.for_each(static_cast<std::int64_t>(missing.size()), [&](std::int64_t i) {
    const WantedKernel& one = *missing[static_cast<std::size_t>(i)];
    made[static_cast<std::size_t>(i)] = loaded().get(loaded_name(device, name_, source, one.name),
                                                     [&] { return load(device, source, one); });
  });
  for (std::size_t i = 0; i < missing.size(); ++i) found.emplace(missing[i]->name, *made[i]);
  return found;
}

GpuKernel DeviceLibrary::load(const DeviceInfo& device, const std::string& source,
                              const WantedKernel& wanted) const {
  const CompileRequest request = program(source, {wanted.name}, device.capability);
  const Module module{device.id, request, compile_once(request, code_cache_folder())};
  GpuKernel kernel = module.kernel(wanted.name);
  if (wanted.shared_bytes > 0) kernel.allow_shared(wanted.shared_bytes);
  return kernel;
}

}  // namespace synthoscope::cuda
