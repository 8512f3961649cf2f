// SPDX-License-Identifier: MIT
// fftconv/device/passes/passes.hpp — the steps of a convolution on a device, by our own kernels or
// by a library.
#pragma once
#include <cstdint>
#include <memory>
#include "core/cuda/memory/buffer.hpp"
#include "core/run/task_pool.hpp"
#include "fftconv/device/passes/kernel_names.hpp"

namespace synthoscope::fftconv::device {

/// Planes of voxels, and the places of their rows.
struct PlanesToLoad {
  RowsForward rows;
  Elements positions;            ///< along y, that have a row
  const int* sources = nullptr;  ///< row of the source of each position, where they are listed
  bool come_back = false;        ///< products with their spectra become voxels: an image's planes
};

/// Immutable once made. Nothing here waits or allocates; all return when the work is enqueued. The
/// order of a spectrum is that of the library.
class Passes {
 public:
  Passes() = default;
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;
  virtual ~Passes() = default;

  /// `planes` contiguous planes of voxels become planes of spectra. Factors and steps between rows
  /// and planes of spectra are filled in.
  virtual void load_planes(const cuda::Stream& stream, const PlaneLoading& how,
                           const PlanesToLoad& arguments, std::int64_t planes) const = 0;
  /// Planes of spectra become voxels; spectra may be overwritten.
  /// @param along_y  the inverse, which stores the rows that are wanted
  virtual void store_planes(const cuda::Stream& stream, const ColumnPass& along_y,
                            RowsBack arguments, std::int64_t planes) const = 0;

  /// Whether convolve_planes is there.
  [[nodiscard]] virtual bool convolves_planes() const { return false; }
  /// Convolves planes of voxels, each by itself, with one plane; spectra are not in memory.
  /// @param transfer  the kernel's plane, as load_planes leaves it
  virtual void convolve_planes(const cuda::Stream& stream, const PlaneLoading& how,
                               const PlanesToLoad& arguments, const float2* transfer,
                               const RowsBack& results, std::int64_t planes) const;

  /// Transforms columns along y of `planes` contiguous planes, in place, where rows are changed
  /// between two transforms. @throws CudaError  as rows_to_change
  virtual void columns_y(const cuda::Stream& stream, const ColumnPass& how, Columns arguments,
                         std::int64_t planes) const = 0;

  /// All columns along z.
  virtual void columns_z(const cuda::Stream& stream, const ColumnPass& how,
                         Columns arguments) const = 0;

  /// Returns factors and steps between rows and planes, for kernels that change rows (change.cuh).
  /// @throws CudaError  the rows are transformed by cuFFT, or with whole planes, which such kernels
  ///                    cannot do.
  [[nodiscard]] virtual SpectrumRows rows_to_change() const = 0;

  /// Makes planes of a thin kernel ready for sum_planes. Of the arguments, `result` is the planes.
  virtual void prepare_kernel_planes(const cuda::Stream& stream, const PlaneSums& arguments,
                                     std::int64_t planes) const = 0;

  /// `results` planes, as PlaneSums says.
  virtual void sum_planes(const cuda::Stream& stream, const PlaneSums& arguments,
                          std::int64_t results) const = 0;
};

/// Enqueues a kernel of sum_planes_name or join_classes_name, which all libraries share.
void launch_sums(const cuda::GpuKernel& kernel, const cuda::Stream& stream,
                 const PlaneSums& arguments, std::int64_t planes, int classes = 1);

/// Makes the passes of the library that `sizes` are for. Compiles kernels, or finds what was
/// compiled before, and puts tables of factors on the device.
/// @throws CudaError, PlanError
std::unique_ptr<Passes> make_passes(const cuda::DeviceInfo& device, const Layout& layout,
                                    const DeviceLayout& sizes, const PassList& list,
                                    const cuda::Stream& stream, MemoryBudget& device_memory,
                                    TaskPool& pool);

}  // namespace synthoscope::fftconv::device
