// SPDX-License-Identifier: MIT
// fftconv/device/resident_convolution.hpp — convolutions with one kernel of volumes that lie in the
// memory of one device.
#pragma once
#include <cstdint>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv::device {

/// Returns a plan in core for this device, cut in nothing, whose kernel's transfer function is
/// kept: with the transform whose passes take the shortest. Needs no planner's machine.
/// @throws InvalidSpec  the problem is not valid (require_valid), or its shape is not `valid`.
/// @throws PlanError    an axis is longer than a device transforms.
Plan resident_plan(const Problem& problem, const cuda::DeviceInfo& device);
/// The same with a given transform, which is long enough.
Plan resident_plan(const Problem& problem, const cuda::DeviceInfo& device,
                   const Extent3& transform);

/// Returns the seconds that `convolve` and `change` are expected to take, of all planes.
double resident_seconds(const Plan& plan);

/// Returns the memory of the device that a ResidentConvolution takes for such a plan.
std::vector<MemoryItem> resident_memory(const Plan& plan, const cuda::DeviceInfo& device);

/// Returns the bytes of a row of spectra.
std::int64_t spectrum_row_bytes(const Plan& plan, const cuda::DeviceInfo& device);

/// Where voxels belong.
enum class Side { image, result };

/// Runs as often as wanted, and neither allocates nor compiles anything in between. The
/// constructor, `prepare` and `read_kernel` wait; all other functions enqueue their work and
/// return.
///
/// Where the plan keeps the transfer function (Cut::keep_transfer), the shape is `valid`, the
/// kernel is transformed once, and the adjoint uses the same function. The kernel's voxel k lies at
/// k - (K - 1) of the transform: a volume at the front then has its result at the front. The
/// adjoint takes that result, multiplies by the conjugate, and its own result lies at the front
/// again. Each run is
///
///     load(image), convolve, give(result)        or        load(result), correlate, give(image)
///
/// and `change` in place of a `give` and the `load` of what was given: then voxels lie nowhere in
/// memory.
class ResidentConvolution {
 public:
  /// Allocates all memory.
  /// @param plan    in core, cuts nothing
  /// @param term    sources of image and kernel, whose types count; they outlive this
  /// @param stored  type of results
  /// @throws InvalidSpec  the plan keeps the transfer function, and its shape is not `valid`.
  /// @throws PlanError    beyond the budget.  @throws OutOfDeviceMemory, CudaError
  ResidentConvolution(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
                      const Term& term, PixelType stored = PixelType::float32);

  /// Compiles kernels, or finds them, and sends tables. Waits. @throws CudaError
  void prepare(cuda::Stream& stream, TaskPool& pool);

  /// Transforms the kernel, whole planes in the memory of the device.
  void take_kernel(const cuda::Stream& stream, const std::byte* voxels);
  /// The same from its source on the host. @throws what the source throws, PlanError
  void read_kernel(const cuda::Stream& stream, MemoryBudget& device_memory,
                   const RunContext& context);

  /// load(image), convolve and give(result): at once where planes are convolved each by itself.
  void run(const cuda::Stream& stream, const std::byte* image, std::byte* result,
           unsigned long long* counts);

  /// Transforms voxels along x and y. An image has the type of its source, a result is float32.
  void load(const cuda::Stream& stream, Side side, const std::byte* voxels);
  /// The same for some planes of an image, which begin at `voxels`; only where the transfer
  /// function is kept.
  void load_image(const cuda::Stream& stream, const Interval& planes, const std::byte* voxels);
  void convolve(const cuda::Stream& stream);
  /// The adjoint of `convolve`, from results to images; only where the transfer function is kept.
  void correlate(const cuda::Stream& stream);
  /// Writes voxels in the type of results.
  /// @param counts  adds clipped and non-finite voxels to counts[0] and counts[1]; may be null
  void give(const cuda::Stream& stream, Side side, std::byte* voxels,
            unsigned long long* counts = nullptr);
  /// Makes voxels, changes them and transforms them again along x and y (Spectra::change).
  void change(const cuda::Stream& stream, Side side, const ChangeRows& change);
  /// The same for some planes.
  void change(const cuda::Stream& stream, Side side, const Interval& planes,
              const ChangeRows& change);
  /// `change` in two steps. Between them, some of the rows may be added to or read.
  void make_rows(const cuda::Stream& stream, Side side, const Interval& planes);
  void change_rows(const cuda::Stream& stream, Side side, const Interval& planes,
                   const ChangeRows& change);
  /// Returns spectra of some rows of planes, between the two steps.
  [[nodiscard]] SpectrumRows made_rows(const Interval& planes, const Interval& rows) const {
    return spectra_.made_rows(planes, rows);
  }

  /// Returns planes, rows and columns of the voxels of a side. A flat image is as many planes as it
  /// has rows.
  [[nodiscard]] Extent3 extent(Side side) const;
  /// Returns the shape of blocks of threads for kernels that `change` launches; only where the
  /// transfer function is kept.
  [[nodiscard]] const BlockShape& changing_rows() const { return sizes_.rows; }

  /// Bytes of the device's memory that are read and written by `convolve` or `correlate`, and by
  /// `change` without what it reads and writes of voxels.
  [[nodiscard]] std::int64_t convolve_bytes() const;
  [[nodiscard]] std::int64_t change_bytes(Side side) const;

 private:
  void read_planes(const cuda::Stream& stream, const cuda::DeviceBuffer<std::byte>& there,
                   const Interval& planes, const RunContext& context);

  cuda::DeviceId device_;
  WorkAxes axes_;
  Layout layout_;
  DeviceLayout sizes_;
  std::int64_t result_bytes_;  ///< of a voxel
  Spectra spectra_;
  Loading kernel_, image_, result_;
  RingTurnTables turn_;
};

}  // namespace synthoscope::fftconv::device
