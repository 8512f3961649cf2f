// SPDX-License-Identifier: MIT
// fftconv/device/passes/fused_passes.hpp — passes of our own: each is one launch that loads,
// transforms and stores, compiled for the lengths of one plan.
#pragma once
#include <map>
#include <string>
#include "fftconv/device/passes/passes.hpp"

namespace synthoscope::fftconv::device {

class FusedPasses final : public Passes {
 public:
  /// @throws CudaError, PlanError
  FusedPasses(const cuda::DeviceInfo& device, const Layout& layout, const DeviceLayout& sizes,
              const PassList& list, const cuda::Stream& stream, MemoryBudget& device_memory,
              TaskPool& pool);

  void load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                   const PlanesToLoad& arguments, std::int64_t planes) const override;
  void store_planes(const cuda::Stream& stream, const ColumnPass& along_y, RowsBack arguments,
                    std::int64_t planes) const override;
  void columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns arguments,
                 std::int64_t planes) const override;
  void columns_z(const cuda::Stream& stream, const ColumnPass& how,
                 Columns arguments) const override;
  [[nodiscard]] SpectrumRows rows_to_change() const override;
  void prepare_kernel_planes(const cuda::Stream& stream, const PlaneSums& arguments,
                             std::int64_t planes) const override;
  void sum_planes(const cuda::Stream& stream, const PlaneSums& arguments,
                  std::int64_t results) const override;

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
