// SPDX-License-Identifier: MIT
// fftconv/device/link/plane_copies.hpp — copies planes of voxels to a device, and planes of results
// back to the host.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/stream.hpp"
#include "core/volume/view.hpp"
#include "fftconv/device/link/pieces_down.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
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

/// Returns the pieces in which the host copies a box.
PieceCut cut_of(const SourceBox& box);

/// Copies planes to the device through kBatches slots on the device, one for each batch in flight.
/// The host copies planes in ordinary memory or in files to pinned pieces first. Three threads may
/// load, receive and use batches.
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
  void stage_piece(int slot, const SourceBox& box, const WorkAxes& axes,
                   const PieceCut::Piece& piece, int pinned);

  std::int64_t slot_bytes_;
  Timeline* timeline_;
  cuda::Stream stream_;
  StagingPieces pieces_;
  ThreadShare share_;
  cuda::DeviceBuffer<std::byte> device_;
  std::vector<cuda::Event> came_, used_;  ///< one a slot
};

/// The way of results to the host.
enum class WayDown {
  direct,   ///< to the sink's voxels
  pieces,   ///< through pinned pieces: every thread stores some
  batches,  ///< through pinned memory for whole batches, which are finished or written in order
};

/// Copies planes of results to the host through kBatches slots on the device, one for each batch in
/// flight. One thread may send while another one stores.
class LinkDown {
 public:
  /// @param slot_bytes    of a batch on the device
  /// @param staged_bytes  of a batch that the host copies
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  LinkDown(cuda::DeviceId device, WayDown way, std::int64_t slot_bytes, std::int64_t staged_bytes,
           MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline);

  /// Return the slot's memory on the device for voxels, and two zeros that count clipped and
  /// non-finite voxels, for work that is enqueued on `compute` from now on. The slot must be free.
  [[nodiscard]] std::byte* room(int slot) const { return device_.data() + slot * slot_bytes_; }
  unsigned long long* zeros(int slot, const cuda::Stream& compute);

  /// Copies the voxels that `compute` writes, the contiguous planes `box` of the work problem, to
  /// the rectangle of the sink's voxels.
  void send(int slot, const cuda::Stream& compute, const Box3& box, const VoxelView& direct,
            const WorkAxes& axes);
  /// Copies so many bytes to pinned memory.
  void send(int slot, const cuda::Stream& compute, std::int64_t bytes);
  /// Copies a batch, which lies in the slot, piece by piece.
  void send(int slot, const cuda::Stream& compute, const BatchOnDevice& batch);

  /// Stores a batch that was sent piece by piece; then the slot is free. @throws as PiecesDown
  void store(int slot, TaskPool& pool, const PiecesDown::Store& store);

  /// Waits until the slot's voxels are on the host. Returns the address of a whole batch.
  /// @throws CudaError  also if work before the copy failed
  std::byte* receive(int slot) const;
  [[nodiscard]] StoredCounts counts(int slot) const;

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
  void begin(int slot);
  void end(int slot);

  std::int64_t slot_bytes_, staged_bytes_;
  Timeline* timeline_;
  cuda::Stream stream_;
  std::optional<PiecesDown> pieces_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  cuda::PinnedBuffer<unsigned long long> host_counts_;
  cuda::DeviceBuffer<unsigned long long> device_counts_;
  std::vector<cuda::Event> computed_, went_;  ///< one a slot
};

}  // namespace synthoscope::fftconv::device
