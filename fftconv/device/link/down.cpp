// SPDX-License-Identifier: MIT
#include "fftconv/device/link/down.hpp"
#include "core/cuda/runtime/slot_events.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/link/row_copies.hpp"

namespace synthoscope::fftconv::device {

LinkDown::LinkDown(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
                   MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline)
    : slot_bytes_{slot_bytes},
      staged_bytes_{staged_bytes},
      timeline_{timeline},
      stream_{device},
      host_{device, host_memory, kBatches * staged_bytes, "voxels from the device"},
      device_{device, device_memory, kBatches * slot_bytes, "voxels that go"},
      host_counts_{device, host_memory, kBatches * kCounts, "counts of voxels"},
      device_counts_{device, device_memory, kBatches * kCounts, "counts of voxels"},
      computed_{slot_events(device)},
      went_{slot_events(device)} {}

unsigned long long* LinkDown::zeros(int slot, const cuda::Stream& compute) {
  unsigned long long* const counts = device_counts_.data() + slot * kCounts;
  cuda::enqueue_zeros(compute, counts, kCountBytes);
  return counts;
}

void LinkDown::send(int slot, const cuda::Stream& compute, const Box3& box, PixelType type,
                    const std::optional<VoxelView>& direct, std::int64_t second_bytes,
                    const WorkAxes& axes) {
  const auto s = static_cast<std::size_t>(slot);
  computed_[s].record(compute);
  stream_.wait_for(computed_[s]);
  const Noted noted{timeline_, "down", slot, stream_};
  const std::int64_t row_bytes = box.size.x * size_of(type), plane_bytes = box.size.y * row_bytes;
  if (!direct) {
    cuda::enqueue_copy(stream_, host_.data() + slot * staged_bytes_, room(slot),
                       box.size.z * plane_bytes + second_bytes);
  } else {
    RowCopies copies{stream_};
    for (std::int64_t p = 0; p < box.size.z; ++p) {
      const Box3 plane{{box.origin.z + p, box.origin.y, box.origin.x}, {1, box.size.y, box.size.x}};
      copies.add(rows_of(*direct, axes, plane), {room(slot) + p * plane_bytes, row_bytes},
                 row_bytes, box.size.y);
    }
    copies.flush();
  }
  cuda::enqueue_copy(stream_, host_counts_.data() + slot * kCounts,
                     device_counts_.data() + slot * kCounts, kCountBytes);
  went_[s].record(stream_);
}

std::byte* LinkDown::receive(int slot) const {
  went_[static_cast<std::size_t>(slot)].finish();
  return host_.data() + slot * staged_bytes_;
}

StoredCounts LinkDown::counts(int slot) const {
  const unsigned long long* const counts = host_counts_.data() + slot * kCounts;
  return {static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
}

}  // namespace synthoscope::fftconv::device
