// SPDX-License-Identifier: MIT
// fftconv/device/link/plane_copies.cpp — copies planes of voxels to a device, and planes of results
// back to the host.
#include "fftconv/device/link/plane_copies.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/slot_events.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/link/row_copies.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// The rectangle of a plane that is stored as plane `i` of the input.
Box3 source_box(const SourceBox& box, std::int64_t i) {
  return {{box.input.plane_source[static_cast<std::size_t>(i)], box.y, box.x},
          {1, box.rows, box.columns}};
}

}  // namespace

LinkUp::LinkUp(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
               MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline)
    : id_{device},
      slot_bytes_{round_up(slot_bytes, kSlotAlignment)},
      staged_bytes_{round_up(staged_bytes, kSlotAlignment)},
      timeline_{timeline},
      stream_{device},
      host_{device, host_memory, kBatches * staged_bytes_, "voxels to the device"},
      device_{device, device_memory, kBatches * slot_bytes_, "input voxels on the GPU"},
      came_{slot_events(device)},
      used_{slot_events(device)} {}

const std::byte* LinkUp::in_place(const SourceBox& box, const WorkAxes& axes) const {
  const auto voxels = box.maker ? std::nullopt : box.input.source->device_readable();
  if (!voxels) return nullptr;
  const std::vector<std::int64_t>& planes = box.input.plane_source;
  const auto first = planes.begin() + box.planes.first, last = first + box.planes.count - 1;
  const bool follow = std::adjacent_find(first, last + 1, [](std::int64_t one, std::int64_t next) {
                        return next != one + 1;
                      }) == last + 1;
  const Box3 there{{*first, box.y, box.x}, {box.planes.count, box.rows, box.columns}};
  if (!follow || box.input.source->device_of(axes.to_volume(there)) != id_) return nullptr;
  return without_gaps(*voxels, axes, there);
}

void LinkUp::load(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool) {
  const auto s = static_cast<std::size_t>(slot);
  if (box.maker || in_place(box, axes)) return;
  const auto pinned = box.input.source->device_readable();
  if (!pinned) stage(slot, box, axes, pool);
  stream_.wait_for(used_[s]);
  const Noted noted{timeline_, "up", slot, stream_};
  std::byte* const to = voxels(slot);
  if (!pinned) {
    cuda::enqueue_copy(stream_, to, host_.data() + slot * staged_bytes_,
                       box.planes.count * box.plane_bytes());
  } else {
    RowCopies copies{stream_};
    for (std::int64_t p = 0; p < box.planes.count; ++p)
      copies.add({to + p * box.plane_bytes(), box.row_bytes()},
                 rows_of(*pinned, axes, source_box(box, box.planes.first + p)), box.row_bytes(),
                 box.rows);
    copies.flush();
  }
  came_[s].record(stream_);
}

void LinkUp::stage(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool) {
  const Noted noted{timeline_, "load", slot};
  Source& source = *box.input.source;
  std::byte* const to = host_.data() + slot * staged_bytes_;
  for_pieces(pool, box.planes.count, box.rows, kRowsTogether,
             [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
               Box3 piece = source_box(box, box.planes.first + plane);
               piece.origin.y += first;
               piece.size.y = rows;
               piece = axes.to_volume(piece);
               source.read(piece, {to + plane * box.plane_bytes() + first * box.row_bytes(),
                                   source.pixel_type(), piece.size});
             });
}

void LinkUp::taken(int slot, const cuda::Stream& compute) {
  used_[static_cast<std::size_t>(slot)].record(compute);
}

LinkDown::LinkDown(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
                   MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline)
    : slot_bytes_{slot_bytes},
      staged_bytes_{staged_bytes},
      timeline_{timeline},
      stream_{device},
      host_{device, host_memory, kBatches * staged_bytes, "voxels from the device"},
      device_{device, device_memory, kBatches * slot_bytes, "result voxels on the GPU"},
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
  begin(slot, compute);
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
  end(slot);
}

void LinkDown::send_counts(int slot, const cuda::Stream& compute) {
  begin(slot, compute);
  end(slot);
}

void LinkDown::begin(int slot, const cuda::Stream& compute) {
  cuda::Event& computed = computed_[static_cast<std::size_t>(slot)];
  computed.record(compute);
  stream_.wait_for(computed);
}

void LinkDown::end(int slot) {
  cuda::enqueue_copy(stream_, host_counts_.data() + slot * kCounts,
                     device_counts_.data() + slot * kCounts, kCountBytes);
  went_[static_cast<std::size_t>(slot)].record(stream_);
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
