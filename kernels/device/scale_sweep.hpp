// SPDX-License-Identifier: MIT
// kernels/device/scale_sweep.hpp — flat triangles of half-widths 2, 4, ..., 32, all in one launch.
#pragma once
#include <optional>
#include "core/cuda/code/module.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/device/window_work.hpp"
#include "kernels/device_operation.hpp"

namespace synthoscope::kernels::device {

/// How many scales a sweep has that makes all of `windows`, in the order of their merges on the
/// host: they are the first scales, from 2 on, without a gap. 0 where none does.
int scales_of(std::span<const LocalWindow> windows);

class ScaleSweep {
 public:
  explicit ScaleSweep(const WindowWork& work)
      : work_{work}, scales_{scales_of(work.spec.windows)} {}

  [[nodiscard]] bool is_possible_on(const cuda::DeviceInfo& device) const {
    return scales_ > 0 && sweep_shared_bytes(scales_) <= device.shared_bytes;
  }

  /// @throws CudaError
  void prepare(const cuda::DeviceInfo& device, PixelType type);
  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               const WorkResults& results) const;

 private:
  WindowWork work_;
  int scales_;
  std::int64_t at_once_ = 1;  ///< blocks that a device has room for
  std::optional<cuda::Kernel> kernel_;
};

}  // namespace synthoscope::kernels::device
