// SPDX-License-Identifier: MIT
// fftconv/device/passes/cluster_passes.hpp — passes over whole planes, by clusters of blocks:
// spectra leave the chip once a plane, not between rows and columns (code/planes.cuh).
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include "fftconv/device/passes/passes.hpp"

namespace synthoscope::fftconv::device {

class ClusterPasses final : public Passes {
 public:
  /// Returns null if the device refuses a cluster of sizes.fused, or if the code is not packaged
  /// and cannot be compiled here.
  /// @throws CudaError, PlanError
  static std::unique_ptr<Passes> make(const cuda::DeviceInfo& device, const DeviceLayout& sizes,
                                      const PassList& list, const cuda::Stream& stream,
                                      MemoryBudget& device_memory, TaskPool& pool);

  void load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                   const PlanesToLoad& arguments, std::int64_t planes) const override;
  void store_planes(const cuda::Stream& stream, const ColumnPass& along_y, RowsBack arguments,
                    std::int64_t planes) const override;
  [[nodiscard]] bool convolves_planes() const override { return convolves_planes_; }
  void convolve_planes(const cuda::Stream& stream, const PlaneLoading& how,
                       const PlanesToLoad& arguments, const float2* transfer,
                       const RowsBack& results, std::int64_t planes) const override;
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
  using Kernels = std::map<std::string, cuda::GpuKernel>;
  ClusterPasses(const cuda::DeviceInfo& device, const DeviceLayout& sizes, const PassList& list,
                Kernels kernels, std::map<std::string, int> clusters, const cuda::Stream& stream,
                MemoryBudget& device_memory);
  template <class Arguments>
  void launch(const std::string& name, const cuda::Stream& stream, std::int64_t planes,
              const Arguments& arguments) const;
  [[nodiscard]] PlanesForward to_load(const PlaneLoading& how, const PlanesToLoad& planes,
                                      std::int64_t count) const;
  [[nodiscard]] unsigned* counter() const;
  [[nodiscard]] TensorMap boxes_of(const float2* spectra, std::int64_t planes) const;
  [[nodiscard]] PlaneSums with_classes(PlaneSums arguments) const;

  DeviceLayout sizes_;
  PixelType stored_;
  bool convolves_planes_;
  Kernels gpu_kernels_;
  std::map<std::string, int> clusters_;  ///< that run at once, of kernels of planes
  cuda::DeviceBuffer<float> factors_;
  cuda::DeviceBuffer<unsigned> counters_;
  mutable std::atomic<unsigned> launches_ = 0;
  const float2 *row_factors_ = nullptr, *column_factors_ = nullptr, *turns_ = nullptr,
               *class_turns_ = nullptr, *z_factors_ = nullptr;
};

}  // namespace synthoscope::fftconv::device
