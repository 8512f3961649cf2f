// SPDX-License-Identifier: MIT
// fftconv/device/link/down.hpp — planes of results on their way from the device.
#pragma once
#include <optional>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/stream.hpp"
#include "core/volume/view.hpp"
#include "fftconv/device/link/timeline.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv::device {

/// kBatches slots. One thread sends, another one receives.
class LinkDown {
 public:
  /// @param slot_bytes    of a batch on the device
  /// @param staged_bytes  on the host; 0 where batches go to where the sink has its voxels
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  LinkDown(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
           MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline);

  /// Room on the device for voxels, and two zeros to count clipped and non-finite ones, for what is
  /// enqueued on `compute` from now on. The slot must be free.
  [[nodiscard]] std::byte* room(int slot) const { return device_.data() + slot * slot_bytes_; }
  unsigned long long* zeros(int slot, const cuda::Stream& compute);

  /// Sends what `compute` writes, planes `box` of the work problem, contiguous; to `direct` if it
  /// is given, otherwise together with the `beside` bytes that follow them.
  void send(int slot, const cuda::Stream& compute, const Box3& box, PixelType type,
            const std::optional<VoxelView>& direct, std::int64_t beside, const WorkAxes& axes);

  /// Waits until the slot's voxels have come; where they are, if they are staged.
  /// @throws CudaError  also of work that failed.
  std::byte* receive(int slot) const;
  [[nodiscard]] StoredCounts counts(int slot) const;

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
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
