// SPDX-License-Identifier: MIT
#include "fftconv/device/programs.hpp"
#include <optional>
#include "core/cuda/code_cache.hpp"
#include "fftconv/device/sources.hpp"

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

}  // namespace

std::map<std::string, cuda::Kernel> compile_kernels(const cuda::DeviceInfo& device,
                                                    const std::vector<WantedKernel>& wanted,
                                                    TaskPool& pool) {
  std::vector<std::optional<cuda::Kernel>> made(wanted.size());
  pool.for_each(static_cast<std::int64_t>(wanted.size()), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    made[at] = compile_kernel(device, wanted[at]);
  });
  std::map<std::string, cuda::Kernel> kernels;
  for (std::size_t i = 0; i < wanted.size(); ++i) kernels.emplace(wanted[i].name, *made[i]);
  return kernels;
}

}  // namespace synthoscope::fftconv::device
