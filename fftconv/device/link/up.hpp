// SPDX-License-Identifier: MIT
// fftconv/device/link/up.hpp — copies planes of voxels to the device.
#pragma once
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "fftconv/device/link/timeline.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/plan/cuts/turns.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

/// Planes of an input, and the rectangle of each that is read.
struct SourceBox {
  const PlaneInput& input;
  Interval planes;
  std::int64_t y = 0, rows = 0, x = 0, columns = 0;
  cuda::DeviceSource* maker = nullptr;  ///< makes the planes on the device; null if they are copied

  [[nodiscard]] std::int64_t row_bytes() const {
    return columns * size_of(input.source->pixel_type());
  }
  [[nodiscard]] std::int64_t plane_bytes() const { return rows * row_bytes(); }
};

/// Copies planes to the device through kBatches slots. A slot is a buffer on the device and a
/// pinned one on the host, for one batch in flight. Three threads may load, receive and use
/// batches.
class LinkUp {
 public:
  /// @param slot_bytes    of a batch on the device
  /// @param staged_bytes  of the largest batch that the host copies
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  LinkUp(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
         MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline);

  /// Reads contiguous planes and enqueues their copy into a slot. Pinned planes are copied without
  /// being read. Does nothing if a device makes the planes.
  /// @throws what the source throws, CudaError
  void load(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool);

  /// Waits until the planes are on the device, so that work on them can be enqueued. @throws
  /// CudaError
  void receive(int slot) const { came_[static_cast<std::size_t>(slot)].finish(); }

  /// Returns the slot's memory on the device: the planes, or memory for planes that the device
  /// makes. `taken` is called when all work on them is enqueued.
  [[nodiscard]] std::byte* voxels(int slot) const { return device_.data() + slot * slot_bytes_; }
  void taken(int slot, const cuda::Stream& compute);

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
  void stage(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool);

  std::int64_t slot_bytes_, staged_bytes_;
  Timeline* timeline_;
  cuda::Stream stream_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  std::vector<cuda::Event> came_, used_;  ///< one a slot
};

}  // namespace synthoscope::fftconv::device
