// SPDX-License-Identifier: MIT
// fftconv/device/link/plane_copies.hpp — copies planes of voxels to a device, and planes of results
// back to the host.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/stream.hpp"
#include "core/volume/view.hpp"
#include "fftconv/device/link/timeline.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/planes/access.hpp"

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

  /// Returns the planes if they lie in the device's memory as they would in a slot; otherwise null.
  [[nodiscard]] const std::byte* in_place(const SourceBox& box, const WorkAxes& axes) const;

  /// Reads contiguous planes and enqueues their copy into a slot. Pinned planes are copied without
  /// being read. Does nothing if a device makes the planes, or if they are used where they lie.
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

  cuda::DeviceId id_;
  std::int64_t slot_bytes_, staged_bytes_;
  Timeline* timeline_;
  cuda::Stream stream_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  std::vector<cuda::Event> came_, used_;  ///< one a slot
};

/// Copies planes of results to the host through kBatches slots. A slot is a buffer on the device
/// and a pinned one on the host, for one batch in flight. One thread may send while another one
/// receives.
class LinkDown {
 public:
  /// @param slot_bytes    of a batch on the device
  /// @param staged_bytes  of a batch on the host; 0 if batches go directly to the sink's voxels
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  LinkDown(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
           MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline);

  /// Return the slot's memory on the device for voxels, and two zeros that count clipped and
  /// non-finite voxels, for work that is enqueued on `compute` from now on. The slot must be free.
  [[nodiscard]] std::byte* room(int slot) const { return device_.data() + slot * slot_bytes_; }
  unsigned long long* zeros(int slot, const cuda::Stream& compute);

  /// Copies the voxels that `compute` writes: the contiguous planes `box` of the work problem.
  /// Copies them to `direct` if it is given, otherwise together with the `second_bytes` that follow
  /// them.
  void send(int slot, const cuda::Stream& compute, const Box3& box, PixelType type,
            const std::optional<VoxelView>& direct, std::int64_t second_bytes,
            const WorkAxes& axes);
  /// The same for voxels that `compute` writes to the sink's memory: only their counts are copied.
  void send_counts(int slot, const cuda::Stream& compute);

  /// Waits until the slot's voxels are on the host. Returns their address, if they are staged.
  /// @throws CudaError  also if work before the copy failed
  std::byte* receive(int slot) const;
  [[nodiscard]] StoredCounts counts(int slot) const;

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
  void begin(int slot, const cuda::Stream& compute);
  void end(int slot);

  std::int64_t slot_bytes_, staged_bytes_;
  Timeline* timeline_;
  cuda::Stream stream_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  cuda::PinnedBuffer<unsigned long long> host_counts_;
  cuda::DeviceBuffer<unsigned long long> device_counts_;
  std::vector<cuda::Event> computed_, went_;  ///< one a slot
};

}  // namespace synthoscope::fftconv::device
