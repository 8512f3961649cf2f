// SPDX-License-Identifier: MIT
// kernels/operation/device_operation.hpp — an operation on neighbourhoods whose window and results
// are in memory of a device.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>
#include "core/cuda/code/kernel_name.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/store_as.hpp"
#include "core/volume/box.hpp"
#include "core/volume/pixel_type.hpp"

namespace synthoscope::kernels {

/// A Window in device memory, in z, y, x order without gaps.
struct DeviceWindow {
  Extent3 image;
  Box3 box;
  PixelType type;
  const std::byte* voxels;
  const std::byte* travelled = nullptr;  ///< from write_travelling; null if nothing travels
};

/// Receives the number of voxels that storing changed, when a run is finished.
using TellCounts = std::function<void(const StoredCounts&)>;

/// An Operation carried out on a device (Operation::on_device).
class DeviceOperation {
 public:
  virtual ~DeviceOperation() = default;

  /// Returns the bytes that are allocated on the device, apart from window and results, for boxes
  /// no larger than `box`.
  [[nodiscard]] virtual std::int64_t working_bytes(const Extent3& box) const = 0;

  /// Returns the bytes that are sent to the device with a window, apart from its voxels, for a box
  /// of this size; no more for smaller ones. 0 if nothing is sent.
  [[nodiscard]] virtual std::int64_t travelling_bytes(const Extent3&) const { return 0; }

  /// Writes these bytes for a box, with the threads of `pool`; not called if there are none.
  /// @param to  space for travelling_bytes(box.size), aligned like a slot.
  virtual void write_travelling([[maybe_unused]] const Box3& box, [[maybe_unused]] std::byte* to,
                                [[maybe_unused]] TaskPool& pool) const {}

  /// Returns kernels that prepare() with the same arguments loads. The caller loads them first, all
  /// at the same time. `device` may be a description of a device that is not there.
  [[nodiscard]] virtual std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo&, PixelType,
                                                              const Extent3&) const {
    return {};
  }

  /// Compiles for windows of `type`, allocates working memory and sends tables; called once for a
  /// run.
  /// @throws PlanError  beyond the budget.
  /// @throws OutOfDeviceMemory, CudaError
  virtual void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
                       const cuda::Stream& stream) = 0;

  /// Enqueues Operation::apply and returns at once.
  /// @param out  memory of the device for each result, in z, y, x order without gaps.
  virtual void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                             std::span<std::byte* const> out) = 0;

  /// Reports to the host what was counted on the device, such as clipped voxels, and frees what
  /// prepare allocated. Waits.
  virtual void finish(const cuda::Stream& stream) = 0;
};

}  // namespace synthoscope::kernels
