// SPDX-License-Identifier: MIT
// kernels/device/splines/prefilter.hpp — the coefficients of the cubic B-spline that passes through
// the voxels of an image, made by a device.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/runtime/device.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/splines/prefilter.hpp"

namespace synthoscope::kernels::device {

/// Compiled code of fit_spline, with the same bits: planes in one pass, columns along z in another.
class DeviceSpline {
 public:
  /// Returns the kernels that the constructor loads: for planes, then for columns along z if they
  /// are fitted.
  /// @param type  of windows
  static std::vector<cuda::KernelName> kernels(PixelType type, const SplineAxes& axes);

  /// @throws CudaError
  DeviceSpline(const cuda::DeviceInfo& device, PixelType type, Boundary boundary,
               const SplineAxes& axes);

  /// Returns the floats of device memory that `enqueue` needs apart from coefficients.
  static std::int64_t working_floats(Boundary boundary, const SplineAxes& axes,
                                     const Box3& positions, const Extent3& image);

  /// Enqueues making the coefficients at `positions`, a box anywhere, and returns at once.
  /// @param in            holds held_box(boundary, spline_positions(axes, positions), in.image).
  /// @param fill          the value outside under Boundary::zero.
  /// @param coefficients  of extent positions.size, in z, y, x order without gaps
  /// @param working       working_floats(...) elements, separate from the coefficients
  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& positions,
               float fill, float* coefficients, float* working) const;

 private:
  void enqueue_planes(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                      float fill, float* fitted) const;

  int multiprocessors_;
  Boundary boundary_;
  SplineAxes axes_;
  std::optional<cuda::GpuKernel> planes_, columns_;
};

}  // namespace synthoscope::kernels::device
