// SPDX-License-Identifier: MIT
// fftconv/device/passes/passes.hpp — the steps of a convolution on a device, each one launch,
// compiled for the lengths of one plan.
#pragma once
#include <map>
#include <string>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/device/passes/kernel_names.hpp"

namespace synthoscope::fftconv::device {

/// Immutable once made. Nothing here waits or allocates; all return when the work is enqueued.
class Passes {
 public:
  /// Compiles, or finds what was compiled before, and puts tables of factors on the device.
  /// @throws CudaError, PlanError
  Passes(const cuda::DeviceInfo& device, const Layout& layout, const DeviceLayout& sizes,
         const PassList& list, const cuda::Stream& stream, MemoryBudget& device_memory,
         TaskPool& pool);

  /// `planes` planes of voxels; factors and steps between rows and planes of spectra are filled in.
  void load_rows(const cuda::Stream& stream, const RowLoading& how, RowsForward arguments,
                 std::int64_t planes) const;
  void store_rows(const cuda::Stream& stream, RowsBack arguments, std::int64_t planes) const;

  /// Transforms columns along y of `planes` contiguous planes, in place.
  void columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns arguments,
                 std::int64_t planes) const;

  /// All columns along z.
  void columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns arguments) const;

  /// `results` planes, as PlaneSums says.
  void sum_planes(const cuda::Stream& stream, const PlaneSums& arguments,
                  std::int64_t results) const;

 private:
  template <class Arguments>
  void launch_rows(const std::string& name, const cuda::Stream& stream, std::int64_t rows,
                   const Arguments& arguments) const;
  template <class Arguments>
  void launch(const std::string& name, const cuda::Stream& stream, const BlockShape& shape,
              std::int64_t blocks, std::int64_t batches, const Arguments& arguments) const;

  DeviceLayout sizes_;
  PixelType stored_;
  int half_ = 1;
  std::map<std::string, cuda::GpuKernel> gpu_kernels_;
  cuda::DeviceBuffer<float> factors_;  ///< of rows, of columns along y, along z, half shifts
  const float2 *row_factors_ = nullptr, *y_factors_ = nullptr, *z_factors_ = nullptr,
               *half_shift_ = nullptr;
};

}  // namespace synthoscope::fftconv::device
