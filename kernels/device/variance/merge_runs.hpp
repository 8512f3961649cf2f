// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_runs.hpp — windows with one launch an axis.
#pragma once
#include <span>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/device/variance/merge_run.hpp"
#include "kernels/device/variance/window_work.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/variance/merge_steps.hpp"

namespace synthoscope::kernels::device {

/// Consecutive merges of a chain along one axis.
struct AxisRun {
  Axis axis = Axis::x;
  int from = 0, made = 0;  ///< signals of the chain: the input and the last one
  MergeRun merges;
  std::vector<float> taps;  ///< instead of merges
  std::vector<ThreeWeights> weights;
};

/// Returns the runs that a chain consists of; empty if it cannot be made run by run.
std::vector<AxisRun> axis_runs(const MergeSteps& chain);

/// Windows made run by run.
class MergeRuns {
 public:
  explicit MergeRuns(const WindowWork& work);

  /// Returns whether all runs fit the limits of a block of threads.
  [[nodiscard]] bool are_possible_on(const cuda::DeviceInfo& device) const;

  /// Returns the bytes that prepare allocates.
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const;

  /// Returns the kernels of all runs, for windows of `type`.
  [[nodiscard]] std::vector<cuda::KernelName> kernels(PixelType type) const;

  /// @throws CudaError, OutOfDeviceMemory
  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box);
  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               const WorkResults& results) const;
  void release();

 private:
  struct Compiled {
    cuda::GpuKernel kernel;
    std::int64_t at_once;  ///< blocks that the device runs at once
  };
  [[nodiscard]] cuda::KernelName kernel_of(const AxisRun& run, PixelType type) const;
  [[nodiscard]] std::int64_t shared_bytes(const AxisRun& run, std::int64_t strip) const;
  [[nodiscard]] Extent3 padded(const Extent3& box) const;
  [[nodiscard]] cuda::LaunchShape part(std::size_t run, RunArguments& a) const;

  WindowWork work_;
  MergeSteps chain_;
  std::vector<AxisRun> runs_;
  std::vector<Compiled> compiled_;
  cuda::DeviceBuffer<float> working_;
};

}  // namespace synthoscope::kernels::device
