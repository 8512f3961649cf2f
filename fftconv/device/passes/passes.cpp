// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/passes.hpp"
#include "core/base/error.hpp"
#include "fftconv/device/passes/cluster_passes.hpp"
#include "fftconv/device/passes/cufft_passes.hpp"
#include "fftconv/device/passes/fused_passes.hpp"

namespace synthoscope::fftconv::device {

void Passes::convolve_planes(const cuda::Stream& /*stream*/, const PlaneLoading& /*how*/,
                             const PlanesToLoad& /*arguments*/, const float2* /*transfer*/,
                             const RowsBack& /*results*/, std::int64_t /*planes*/) const {
  throw CudaError("convolve planes by themselves: this library transforms rows and columns apart");
}

void launch_sums(const cuda::GpuKernel& kernel, const cuda::Stream& stream, const PlaneSums& a,
                 std::int64_t planes, int classes) {
  constexpr int kSumThreads = 256;  // columns.cuh
  const std::int64_t columns = a.plane / classes;
  kernel.launch(stream, {{(columns + kSumThreads - 1) / kSumThreads, planes}, {kSumThreads}, 0}, a);
}

std::unique_ptr<Passes> make_passes(const cuda::DeviceInfo& device, const Layout& layout,
                                    const DeviceLayout& sizes, const PassList& list,
                                    const cuda::Stream& stream, MemoryBudget& device_memory,
                                    TaskPool& pool) {
  if (sizes.fft == FftLibrary::cufft)
    return std::make_unique<CufftPasses>(device, layout, sizes, list, stream, device_memory, pool);
  if (sizes.fused.any())
    if (auto passes = ClusterPasses::make(device, sizes, list, stream, device_memory, pool))
      return passes;
  return std::make_unique<FusedPasses>(device, layout, sizes, list, stream, device_memory, pool);
}

}  // namespace synthoscope::fftconv::device
