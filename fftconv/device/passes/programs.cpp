// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/programs.hpp"
#include <optional>
#include "core/cuda/code/code_cache.hpp"
#include "core/cuda/code/loaded_kernels.hpp"
#include "fftconv/device/code/sources.hpp"

namespace synthoscope::fftconv::device {
namespace {

cuda::Kernel compile_kernel(const cuda::DeviceInfo& device, const WantedKernel& wanted) {
  const cuda::CompileRequest request{{"fftconv.cu", program_text()},
                                     device_sources(),
                                     {wanted.name},
                                     device_options(),
                                     device.capability};
  const cuda::Module module{device.id, request,
                            cuda::compile_once(request, cuda::code_cache_folder())};
  cuda::Kernel kernel = module.kernel(wanted.name);
  kernel.allow_shared(wanted.shared_bytes);
  return kernel;
}

/// Among those of all libraries.
std::string loaded_name(const WantedKernel& wanted) {
  return "fftconv " + wanted.name;
}

}  // namespace

std::map<std::string, cuda::Kernel> compile_kernels(const cuda::DeviceInfo& device,
                                                    const std::vector<WantedKernel>& wanted,
                                                    TaskPool& pool) {
  std::map<std::string, cuda::Kernel> kernels;
  std::vector<const WantedKernel*> missing;
  for (const WantedKernel& one : wanted)
    if (auto kernel = cuda::loaded_before(device.id, loaded_name(one)))
      kernels.emplace(one.name, *std::move(kernel));
    else
      missing.push_back(&one);
  if (missing.empty()) return kernels;  // threads would take longer to wake

  std::vector<std::optional<cuda::Kernel>> made(missing.size());
  pool.for_each(static_cast<std::int64_t>(missing.size()), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    made[at] = cuda::loaded_once(device.id, loaded_name(*missing[at]),
                                 [&] { return compile_kernel(device, *missing[at]); });
  });
  for (std::size_t i = 0; i < missing.size(); ++i) kernels.emplace(missing[i]->name, *made[i]);
  return kernels;
}

}  // namespace synthoscope::fftconv::device
