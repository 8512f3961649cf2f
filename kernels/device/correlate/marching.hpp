// SPDX-License-Identifier: MIT
// kernels/device/correlate/marching.hpp — launches kernels whose windows slide along an axis.
#pragma once
#include <optional>
#include "core/cuda/code/module.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/code/strips.hpp"
#include "kernels/device/correlate/correlate_arguments.hpp"

namespace synthoscope::kernels::device {

/// How a kernel was compiled: the parameters of MarchShape.
struct Marching {
  March axis = March::along_y;
  bool alone = true;
  int reach = 1, columns = 4, warps = 4;
};

/// Returns the name in device code, such as "March::along_z".
std::string_view cuda_name(March axis);

/// A compiled sliding kernel, on its device.
class MarchingKernel {
 public:
  /// @throws CudaError
  MarchingKernel(const cuda::DeviceInfo& device, const std::string& source, const std::string& name,
                 const Marching& shape)
      : kernel_{device_library().kernel(device, source, name)}, shape_{shape}, device_{device} {}

  /// Enqueues all results of `a.out`, and chooses its strips.
  template <class W>
  void launch(const cuda::Stream& stream, MarchArguments a, const W& weights) const {
    const cuda::LaunchShape launched = part(a);
    kernel_.launch(stream, launched, a, weights);
  }

  [[nodiscard]] const cuda::GpuKernel& kernel() const { return kernel_; }

 private:
  cuda::LaunchShape part(MarchArguments& a) const;
  cuda::GpuKernel kernel_;
  Marching shape_;
  cuda::DeviceInfo device_;
};

}  // namespace synthoscope::kernels::device
