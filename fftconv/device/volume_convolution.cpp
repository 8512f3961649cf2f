// SPDX-License-Identifier: MIT
#include "fftconv/device/volume_convolution.hpp"
#include <algorithm>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory.hpp"
#include "core/cuda/runtime/scoped_device.hpp"
#include "fftconv/device/code/programs.hpp"
#include "fftconv/device/passes/cufft_plan.hpp"
#include "fftconv/device/passes/kernel_names.hpp"
#include "fftconv/fft/padded_rows.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// In place: rows of reals, or of as many complex values as have room there.
CufftLines lines_of(const Extent3& extent) {
  CufftLines lines;
  lines.lengths = {extent.z, extent.y, extent.x};
  lines.embedded = {extent.z, extent.y, padded_row(extent.x)};
  lines.other_embedded = {extent.z, extent.y, padded_row(extent.x) / 2};
  lines.apart = padded_volume(extent);
  lines.other_apart = lines.apart / 2;
  return lines;
}

struct VolumePlans {
  explicit VolumePlans(const Extent3& extent)
      : forward{lines_of(extent), CufftKind::double_to_complex},
        inverse{lines_of(extent), CufftKind::complex_to_double} {}
  [[nodiscard]] std::int64_t workspace_bytes() const {
    return std::max(forward.workspace_bytes(), inverse.workspace_bytes());
  }
  CufftPlan forward, inverse;  ///< one after the other, in one workspace
};

}  // namespace

std::int64_t volume_convolution_bytes(const cuda::DeviceInfo& device, const Extent3& extent) {
  const cuda::ScopedDevice current{device.id};
  return 2 * padded_volume(extent) * std::int64_t{sizeof(double)} +
         VolumePlans{extent}.workspace_bytes();
}

void convolve_volumes(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                      const Extent3& extent, double* image, const double* kernel,
                      const RunContext& context) {
  const cuda::ScopedDevice current{device.id};
  const std::int64_t doubles = padded_volume(extent);
  const char* const what = "a volume to certify with";
  const cuda::DeviceBuffer<double> f{device.id, device_memory, doubles, what};
  const cuda::DeviceBuffer<double> g{device.id, device_memory, doubles, what};
  VolumePlans plans{extent};
  const cuda::DeviceBuffer<std::byte> workspace{device.id, device_memory, plans.workspace_bytes(),
                                                "cuFFT's workspace"};
  plans.forward.set_workspace(workspace.data());
  plans.inverse.set_workspace(workspace.data());
  const cuda::GpuKernel multiply =
      device_library().kernel(device, kPlainProgram, kMultiplySpectraName);

  const cuda::Stream stream{device.id};
  cuda::enqueue_copy(stream, f.data(), image, f.bytes());
  plans.forward.run(stream, f.data());
  cuda::enqueue_copy(stream, g.data(), kernel, g.bytes());
  plans.forward.run(stream, g.data());
  context.stop.check();
  const std::int64_t values = doubles / 2;
  multiply.launch(stream, {{(values + kPlainThreads - 1) / kPlainThreads}, {kPlainThreads}, 0},
                  f.data(), g.data(), static_cast<Count>(values),
                  1 / static_cast<double>(volume(extent)));
  plans.inverse.run(stream, f.data());
  cuda::enqueue_copy(stream, image, f.data(), f.bytes());
  stream.finish();
}

}  // namespace synthoscope::fftconv::device
