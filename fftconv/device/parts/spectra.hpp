// SPDX-License-Identifier: MIT
// fftconv/device/parts/spectra.hpp — the spectra of one part in a device's memory, and the
// functions that transform them.
#pragma once
#include <map>
#include <vector>
#include "core/cuda/code/module.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/device/code/parts_arguments.hpp"
#include "fftconv/device/parts/tables.hpp"
#include "fftconv/device/passes/kernel_names.hpp"
#include "fftconv/device/passes/tables.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"

namespace synthoscope::fftconv::device {

/// How the device folds planes of image or kernel into any part.
struct PartLoading {
  RowLoading rows;
  RowPlacing x;
  PlanePlacing y;
  double background = 0;
  std::int64_t planes = 0;  ///< of a part that are not empty
  std::int64_t entries = 0;
  Tables::Offset x_table, y_rows, y_slots, begin, sharing, rotations;
};

/// How the device unfolds all parts to planes of the result.
struct PartUnfolding {
  std::int64_t entries = 0;
  Tables::Offset begin, rotations;
};

/// Where the planes of a part are stored, as pairs of real planes. In planes.
struct PairPlaces {
  std::int64_t next = 2;       ///< from one pair to the next
  std::int64_t imaginary = 1;  ///< from the real plane of a pair to the imaginary one
};

/// Holds the spectra of one part of image and kernel. First call `describe` and
/// `place_kernel_planes`, then `prepare`, which compiles and sends tables, then the other
/// functions, which enqueue work. Only `prepare` waits.
class PartSpectra {
 public:
  /// Allocates the memory. @throws PlanError  beyond the budget.  @throws OutOfDeviceMemory,
  /// CudaError
  PartSpectra(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
              const PartsLayout& parts);

  /// @param y_runs, x_runs  placement of the source's rows and columns
  [[nodiscard]] PartLoading describe(const SharedPlanes& shared, PixelType type, double background,
                                     const std::vector<IndexRun>& y_runs,
                                     std::vector<IndexRun> x_runs);
  [[nodiscard]] PartUnfolding describe(const SharedPlanes& shared);
  /// Sets which planes of a part the stored planes of the kernel are; the others are zero.
  /// @param kept  plane of the part of each stored plane, ascending
  void place_kernel_planes(const std::vector<std::int64_t>& kept);
  void prepare(cuda::Stream& stream, TaskPool& pool);

  /// Fold voxels into `planes` of the image's or the kernel's part, and transform them along x and
  /// y.
  /// @param voxels  [plane, y.count, x.count] in the source's type
  /// @param first   plane of the source with which `voxels` begin
  void take_image(const cuda::Stream& stream, const PartLoading& image, std::int64_t part,
                  const void* voxels, std::int64_t first, const Interval& planes);
  void take_kernel(const cuda::Stream& stream, const PartLoading& kernel, std::int64_t part,
                   const void* voxels, std::int64_t first, const Interval& planes);

  /// Transforms image and kernel along z, multiplies them and transforms the product back, after
  /// all planes of both were taken.
  void convolve(const cuda::Stream& stream);

  /// Transforms `planes` of the part back along y and x, and writes the rows and columns of the
  /// result as float32 [plane, y, x]; the first pair of planes begins at `voxels`.
  void give(const cuda::Stream& stream, const Interval& planes, const PairPlaces& places,
            float* voxels);

  /// Unfolds `planes` of all parts into the result, in place (UnfoldParts).
  /// @param counts  numbers of clipped and non-finite voxels are added to it, if not null
  void unfold(const cuda::Stream& stream, const PartUnfolding& unfolding, const Interval& planes,
              float* voxels, unsigned long long* counts);

 private:
  void take(const cuda::Stream& stream, const PartLoading& what, std::int64_t part,
            const void* voxels, std::int64_t first, const Interval& planes, float2* to);
  [[nodiscard]] Sharing sharing_of(Tables::Offset begin, Tables::Offset sharing,
                                   Tables::Offset rotations, std::int64_t entries,
                                   std::int64_t part, std::int64_t plane, std::int64_t first) const;
  void want_columns_y(const ColumnPass& how);
  void columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns arguments,
                 std::int64_t planes) const;
  void columns_z(const cuda::Stream& stream, const ColumnPass& how, Columns arguments) const;
  template <class Arguments>
  void launch(const std::string& name, const cuda::Stream& stream, const BlockShape& shape,
              std::int64_t blocks, std::int64_t batches, const Arguments& arguments) const;
  [[nodiscard]] float2* plane(const cuda::DeviceBuffer<float>& planes, std::int64_t index) const;
  [[nodiscard]] ColumnPass back_y() const;

  cuda::DeviceInfo device_;
  MemoryBudget& device_memory_;
  PartsLayout parts_;
  cuda::DeviceBuffer<float> image_, kernel_;
  Tables tables_;
  Tables::Offset x_factors_, y_factors_, z_factors_, kernel_slots_;
  ColumnPass kernel_z_{Pass::forward, Choice::listed, Choice::all, false};
  std::vector<WantedKernel> wanted_;
  std::map<std::string, cuda::GpuKernel> gpu_kernels_;
};

}  // namespace synthoscope::fftconv::device
