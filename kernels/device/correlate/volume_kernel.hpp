// SPDX-License-Identifier: MIT
// kernels/device/correlate/volume_kernel.hpp — launches the kernel that sums along three axes at
// once.
#pragma once
#include <string>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/volume/extent.hpp"
#include "kernels/device/correlate/correlate_arguments.hpp"

namespace synthoscope::kernels::device {

/// Rows that a thread makes, warps of a block, and blocks of a multiprocessor, which limit
/// registers.
struct VolumeChoice {
  int tall, warps, blocks;
};

/// The kernel, compiled for some weights, on its device.
class VolumeKernel {
 public:
  /// Returns whether the kernel supports so many weights on the device.
  static bool has_room_for(const Extent3& weights, const cuda::DeviceInfo& device);

  /// Returns the fastest choice on an H200.
  static VolumeChoice choice_for(const Extent3& weights);

  /// Returns the kernel's name.
  /// @param types  of voxels and results, as device code names them: "float, unsigned char"
  static cuda::KernelName name_of(const std::string& types, const Extent3& weights,
                                  const VolumeChoice& choice);

  /// @param types  as for name_of
  /// @throws CudaError
  VolumeKernel(const cuda::DeviceInfo& device, const std::string& types, const Extent3& weights,
               const VolumeChoice& choice);

  /// Enqueues all results of `a.out`, and chooses its strips.
  void launch(const cuda::Stream& stream, MarchArguments a, const VolumeWeights& weights) const;

  [[nodiscard]] const cuda::GpuKernel& kernel() const { return kernel_; }

 private:
  int reach_z_;
  VolumeShape shape_;
  cuda::DeviceInfo device_;
  cuda::GpuKernel kernel_;
};

}  // namespace synthoscope::kernels::device
