// SPDX-License-Identifier: MIT
// fftconv/device/passes/cufft_passes.hpp — passes by cuFFT: planes are transformed along x and y at
// once, columns along z in strips.
#pragma once
#include <map>
#include <string>
#include "fftconv/device/passes/cufft_plan.hpp"
#include "fftconv/device/passes/passes.hpp"

namespace synthoscope::fftconv::device {

/// Rows are placed and stored by kernels of ours, in the layout of FusedPasses: no Nyquist column
/// (plain.cuh); columns_y transforms whole planes.
class CufftPasses final : public Passes {
 public:
  /// @throws CudaError, PlanError  cuFFT wants more workspace than the plan has.
  CufftPasses(const cuda::DeviceInfo& device, const Layout& layout, const DeviceLayout& sizes,
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
  void plan_planes(const Layout& layout);
  void plan_strips(const Layout& layout);
  [[nodiscard]] CufftPlan planned(const CufftLines& lines) const;
  void convolve_strip(const cuda::Stream& stream, const CufftPlan& plan, Pass pass,
                      const StripOfColumns& strip) const;
  void launch_strip(const char* name, const cuda::Stream& stream,
                    const StripOfColumns& strip) const;

  DeviceLayout sizes_;
  PixelType stored_;
  std::int64_t half_, length_z_;
  std::map<std::string, cuda::GpuKernel> gpu_kernels_;
  cuda::DeviceBuffer<float> half_shift_, strip_;
  cuda::DeviceBuffer<std::byte> workspace_;
  std::int64_t planes_at_once_ = 1;
  CufftPlan planes_, one_plane_;   ///< of planes_at_once_ planes, and of one
  CufftPlan strips_, last_strip_;  ///< of strip_columns columns, and of the rest
};

}  // namespace synthoscope::fftconv::device
