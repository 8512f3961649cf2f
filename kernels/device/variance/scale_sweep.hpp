// SPDX-License-Identifier: MIT
// kernels/device/variance/scale_sweep.hpp — flat triangles of half-widths 2, 4, ..., 32, all in one
// launch.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/device/variance/window_work.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {

/// Returns the number of scales of the sweep that makes all of `windows`, with merges in the order
/// of the host; 0 if they are not the first scales, from 2 on, without a gap.
int scales_of(std::span<const LocalWindow> windows);

class ScaleSweep {
 public:
  explicit ScaleSweep(const WindowWork& work)
      : work_{work}, scales_{scales_of(work.spec.windows)} {}

  [[nodiscard]] bool is_possible_on(const cuda::DeviceInfo& device) const {
    return scales_ > 0 && sweep_shared_bytes(scales_) <= device.shared_bytes;
  }

  /// Returns the kernel for windows of `type`.
  [[nodiscard]] cuda::KernelName kernel(PixelType type) const;

  /// @throws CudaError
  void prepare(const cuda::DeviceInfo& device, PixelType type);
  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               const WorkResults& results) const;

 private:
  WindowWork work_;
  int scales_;
  std::int64_t at_once_ = 1;  ///< blocks that the device runs at once
  std::optional<cuda::GpuKernel> kernel_;
};

}  // namespace synthoscope::kernels::device
