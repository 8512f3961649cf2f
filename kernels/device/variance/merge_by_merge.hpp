// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_by_merge.hpp — any windows, however large, with one launch a merge.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/device/variance/window_work.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/variance/merge_steps.hpp"

namespace synthoscope::kernels::device {

/// Returns the launch with one thread an element of `box`.
cuda::LaunchShape shape_for(const PartsBox& box);

/// Windows made merge by merge. Signals stay in memory as long as later merges need them.
class MergeByMerge {
 public:
  explicit MergeByMerge(const WindowWork& work);

  /// Returns the bytes that prepare allocates.
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const;

  /// Returns three kernels: the one that brings voxels of `type`, that which merges, and that which
  /// stores results.
  [[nodiscard]] std::vector<cuda::KernelName> kernels(PixelType type) const;

  /// @throws CudaError, OutOfDeviceMemory
  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream);
  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               const WorkResults& results) const;
  void release();

 private:
  [[nodiscard]] Extent3 padded(const Extent3& box) const;
  [[nodiscard]] std::int64_t tap_count() const { return static_cast<std::int64_t>(taps_.size()); }
  [[nodiscard]] PartsSignal signal_at(int signal, const Extent3& around) const;

  WindowWork work_;
  MergeSteps chain_;
  std::vector<int> places_;  ///< of signals; -1 for the image
  std::int64_t volumes_ = 1;
  std::vector<float> taps_;
  std::optional<cuda::GpuKernel> bring_, merge_, finish_;
  cuda::DeviceBuffer<float> working_, taps_there_;
};

}  // namespace synthoscope::kernels::device
