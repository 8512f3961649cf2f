// SPDX-License-Identifier: MIT
// kernels/device_operation.hpp — an operation on neighbourhoods where window and results are
// memory of a device.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include "core/stream/device_stream.hpp"
#include "core/stream/store_as.hpp"
#include "core/volume/box.hpp"
#include "core/volume/pixel_type.hpp"

namespace synthoscope::kernels {

/// A Window in memory of a device, in z, y, x order without gaps.
struct DeviceWindow {
  Extent3 image;
  Box3 box;
  PixelType type;
  const std::byte* voxels;
  const std::byte* travelled = nullptr;  ///< of write_travelling; null where nothing travels
};

/// Told of voxels that storing changed, when a run is finished.
using TellCounts = std::function<void(const StoredCounts&)>;

/// What an Operation does, done on a device (Operation::on_device).
class DeviceOperation {
 public:
  virtual ~DeviceOperation() = default;

  /// What is taken of the device beside window and results, in bytes, for boxes no larger than
  /// `box`.
  [[nodiscard]] virtual std::int64_t working_bytes(const Extent3& box) const = 0;

  /// What goes to the device with a window beside its voxels, in bytes: for a box of this size, and
  /// no more for smaller ones. 0 where nothing does.
  [[nodiscard]] virtual std::int64_t travelling_bytes(const Extent3&) const { return 0; }

  /// Writes it for a box, with the threads of `pool`; not called where it is nothing.
  /// @param to  room for travelling_bytes(box.size), aligned as a slot is.
  virtual void write_travelling([[maybe_unused]] const Box3& box, [[maybe_unused]] std::byte* to,
                                [[maybe_unused]] TaskPool& pool) const {}

  /// Compiles for windows of `type`, takes working memory and sends tables: once for a run.
  /// @throws PlanError  beyond the budget.  @throws OutOfDeviceMemory, CudaError
  virtual void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
                       const cuda::Stream& stream) = 0;

  /// Enqueues Operation::apply and returns at once.
  /// @param out  memory of the device for each result, in z, y, x order without gaps.
  virtual void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                             std::span<std::byte* const> out) = 0;

  /// Takes into account on the host what was counted on the device, such as clipped voxels, and
  /// gives back what prepare took. Waits.
  virtual void finish(const cuda::Stream& stream) = 0;
};

}  // namespace synthoscope::kernels
