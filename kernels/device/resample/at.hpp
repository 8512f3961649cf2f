// SPDX-License-Identifier: MIT
// kernels/device/resample/at.hpp — planes looked up at coordinates that a device has made as a
// product of matrices, some rows at a time.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/device/coordinates/coordinates.hpp"
#include "kernels/device/resample/arguments.hpp"
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels::device {

/// Lookup at coordinates in memory. They are the sums of Affine::at in float64, so every voxel has
/// the bits of one whose coordinates are made where they are used.
class LookupAtProducts {
 public:
  LookupAtProducts(const Affine& affine, Interpolation interpolation, CoordinateProduct how)
      : affine_{affine}, interpolation_{interpolation}, how_{how} {}

  /// Returns the bytes of device memory for boxes no larger than `box`.
  static std::int64_t working_bytes(const Extent3& box);

  /// Returns the kernels that prepare() loads.
  /// @param types  the first parameters of kernels that look up: types of voxels and results, taps,
  ///               and how many count along z and y
  [[nodiscard]] std::vector<cuda::KernelName> kernels(const std::string& types) const;
  void prepare(const cuda::DeviceContext& gpu, const std::string& types, const Extent3& box);

  /// Enqueues making the box `a.out`, and returns at once.
  /// @param out_bytes  size of a voxel of the result
  void enqueue(const cuda::Stream& stream, const ResampleArguments& a,
               std::int64_t out_bytes) const;

  void release() { memory_ = {}; }

 private:
  [[nodiscard]] cuda::KernelName lookup_kernel(const std::string& types) const;

  Affine affine_;
  Interpolation interpolation_;
  CoordinateProduct how_;
  std::optional<CoordinateProducts> products_;
  std::optional<cuda::GpuKernel> kernel_;
  cuda::DeviceBuffer<double> memory_;
};

}  // namespace synthoscope::kernels::device
