// SPDX-License-Identifier: MIT
#include "core/cuda/code/device_library.hpp"
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>
#include "core/base/memo.hpp"
#include "core/cuda/code/code_archive.hpp"
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

/// Returns the archive for a capability that came with the program.
const CodeArchive& packaged_code(int capability) {
  static auto* const archives = new Memo<int, std::shared_ptr<const CodeArchive>>;
  return *archives->get(capability, [&] {
    return std::make_shared<const CodeArchive>(archive_path(packaged_code_folder(), capability));
  });
}

CompiledCode code_for(const CompileRequest& request) {
  if (auto packaged = packaged_code(request.capability).find(request)) return *std::move(packaged);
  return compile_once(request, code_cache_folder());
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
    return load_one(device, source, {name, 0});
  });
}

bool DeviceLibrary::can_load(const DeviceInfo& device, const KernelName& of) const {
  if (loaded().known(loaded_name(device, name_, of.source, of.name))) return true;
  const CompileRequest request = program(of, device.capability);
  return packaged_code(device.capability).has(request) || kept_code(request, code_cache_folder()) ||
         can_compile();
}

void DeviceLibrary::load(const DeviceInfo& device, const std::vector<KernelName>& wanted,
                         TaskPool& pool) const {
  std::vector<KernelName> missing;
  for (const KernelName& one : wanted)
    if (!loaded().known(loaded_name(device, name_, one.source, one.name))) missing.push_back(one);
  if (missing.empty()) return;  // threads would take longer to wake
  pool.for_each(static_cast<std::int64_t>(missing.size()), [&](std::int64_t i) {
    static_cast<void>(kernel(device, missing[static_cast<std::size_t>(i)]));
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
                                                     [&] { return load_one(device, source, one); });
  });
  for (std::size_t i = 0; i < missing.size(); ++i) found.emplace(missing[i]->name, *made[i]);
  return found;
}

GpuKernel DeviceLibrary::load_one(const DeviceInfo& device, const std::string& source,
                                  const WantedKernel& wanted) const {
  const CompileRequest request = program(source, {wanted.name}, device.capability);
  const Module module{device.id, request, code_for(request)};
  GpuKernel kernel = module.kernel(wanted.name);
  if (wanted.shared_bytes > 0) kernel.allow_shared(wanted.shared_bytes);
  return kernel;
}

}  // namespace synthoscope::cuda
