// SPDX-License-Identifier: MIT
// fftconv/device/passes/spectra.hpp — the spectra of one run in a device's memory, and the passes
// over them. Voxels come from and go to the device's memory; other classes move them between device
// and host.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>
#include "fftconv/device/passes/passes.hpp"
#include "fftconv/device/passes/tables.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"

namespace synthoscope::fftconv::device {

/// How planes of an image's tile or of a kernel are read, and how the device transforms them.
struct Loading {
  PlaneInput input;
  RowPlacing x;
  PlanePlacing y;
  RowLoading rows;
  ColumnPass columns;
  Tables::Offset x_table, y_rows, y_slots, y_sources, plane_scale;
};

/// How columns along z are transformed in a turn of the ring.
struct RingTurnTables {
  RingTurn turn;
  ColumnPass columns;
  Tables::Offset loaded, stored, partners;
};

/// Enqueues a kernel that changes rows of voxels (change.cuh). @param first  number of the first
/// plane of `rows`
using ChangeRows =
    std::function<void(const cuda::Stream& stream, const SpectrumRows& rows, std::int64_t first)>;

/// Holds the spectra of a run. First call `describe`, then `prepare`, which compiles and sends
/// tables, then the other functions, which enqueue work. Only `prepare` waits.
class Spectra {
 public:
  /// Allocates the memory.
  /// @param sums    results of several terms are added
  /// @param stored  type of stored results, by the rules of StoreAs
  /// @throws PlanError  beyond the budget.  @throws OutOfDeviceMemory, CudaError
  Spectra(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Layout& layout,
          const DeviceLayout& sizes, bool sums, PixelType stored = PixelType::float32);

  [[nodiscard]] Loading describe(PlaneInput input);
  [[nodiscard]] RingTurnTables describe(const RingTurn& turn);
  /// Voxels at the front of all axes, in place of the image's. Whether the voxels of the image or
  /// the results lie there, `change` and `give` then know planes of so many rows.
  [[nodiscard]] Loading describe_front(const Extent3& voxels, PixelType type);
  /// For convolve_planes, where the layout makes it possible: the kernel is one plane.
  void describe_planes(const Loading& image);
  /// For `correlate`.
  void describe_correlation();
  void prepare(cuda::Stream& stream, TaskPool& pool);

  /// Transform the input's `planes`, [plane, y.count, x.count] in the source's type, into their
  /// slots, which are contiguous (`together`).
  void take_image(const cuda::Stream& stream, const Loading& image, const void* voxels,
                  const Interval& planes);
  void take_kernel(const cuda::Stream& stream, const Loading& kernel, const void* voxels,
                   const Interval& planes);
  /// Makes the transfer function that every turn multiplies by, after all kernel planes were taken.
  void finish_kernel(const cuda::Stream& stream);

  /// Whether convolve_planes is there.
  [[nodiscard]] bool convolves_planes() const { return passes_->convolves_planes(); }
  /// `take_image`, `convolve` and `give` of planes at once: their spectra are not in memory.
  void convolve_planes(const cuda::Stream& stream, const Loading& image, const void* voxels,
                       const Interval& planes, std::int64_t rows, std::int64_t columns,
                       void* results, unsigned long long* counts = nullptr);

  void clear_result(const cuda::Stream& stream);
  void convolve(const cuda::Stream& stream, const RingTurnTables& tables);
  /// The adjoint of `convolve` where all is at the front: of voxels in the places of results, the
  /// correlation with the kernel in the places of the image. Only if the transfer function is kept.
  void correlate(const cuda::Stream& stream);
  /// Makes rows of voxels of planes that are transformed along z alone, changes them and transforms
  /// them again along x and y: as `give` and `take_image`, but voxels lie nowhere in memory. The
  /// same as `make_rows` and `change_rows`.
  void change(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
              const ChangeRows& change);
  /// Transforms planes back along y: the first `rows` rows of each are then spectra of rows.
  void make_rows(const cuda::Stream& stream, const Interval& planes, std::int64_t rows);
  /// Returns some rows of planes, which `make_rows` made.
  [[nodiscard]] SpectrumRows made_rows(const Interval& planes, const Interval& rows) const;
  /// Changes the first `rows` rows, which `make_rows` made.
  void change_rows(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
                   const ChangeRows& change);

  /// Makes the turn's result planes `planes`, [plane, rows, columns], contiguous. Adds the numbers
  /// of clipped and of non-finite voxels to counts[0] and counts[1], unless it is null.
  void give(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
            std::int64_t columns, void* voxels, unsigned long long* counts = nullptr);

  /// As `give` for all result planes, into the memory of the spectra; returns their address. Only
  /// if the kernel is not kept: the results overwrite the image's spectra.
  [[nodiscard]] float* give_here(const cuda::Stream& stream, std::int64_t rows,
                                 std::int64_t columns);

  /// Returns how many planes from `position` on can be taken at once, at most `count`.
  [[nodiscard]] std::int64_t together(std::int64_t position, std::int64_t count) const;

 private:
  [[nodiscard]] PlanesToLoad planes_of(const Loading& what, const void* voxels,
                                       const Interval& planes, double scale) const;
  void take(const cuda::Stream& stream, const Loading& what, PlanesToLoad planes,
            std::int64_t count, float2* to);
  [[nodiscard]] float2* plane(float2* planes, std::int64_t index) const;
  [[nodiscard]] Loading described(Loading loading, PixelType type);
  void store(const cuda::Stream& stream, const Interval& planes, std::int64_t rows,
             std::int64_t columns, void* voxels, unsigned long long* counts);
  [[nodiscard]] float2* image_planes() const;
  [[nodiscard]] float2* result_planes() const;
  [[nodiscard]] float2* kernel_planes() const;
  [[nodiscard]] Choice choice_of(std::int64_t rows) const;
  [[nodiscard]] ColumnPass back_y(std::int64_t rows) const;
  [[nodiscard]] std::vector<int> kernel_slots() const;

  cuda::DeviceInfo device_;
  MemoryBudget& device_memory_;
  Layout layout_;
  DeviceLayout sizes_;
  bool sums_;
  cuda::DeviceBuffer<float> spectra_;  ///< of the image, results and the kernel, in this order
  Tables tables_;
  Tables::Offset kernel_z_;
  PassList list_;
  std::unique_ptr<Passes> passes_;
};

}  // namespace synthoscope::fftconv::device
