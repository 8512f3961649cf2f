// SPDX-License-Identifier: MIT
// fftconv/device/link/plane_copies.cpp — copies planes of voxels to a device, and planes of results
// back to the host.
#include "fftconv/device/link/plane_copies.hpp"
#include <atomic>
#include "core/base/round_up.hpp"
#include "core/cuda/runtime/slot_events.hpp"
#include "fftconv/device/link/row_copies.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// The rectangle of a plane that is stored as plane `i` of the input.
Box3 source_box(const SourceBox& box, std::int64_t i) {
  return {{box.input.plane_source[static_cast<std::size_t>(i)], box.y, box.x},
          {1, box.rows, box.columns}};
}

}  // namespace

PieceCut cut_of(const SourceBox& box) {
  return {box.planes.count, box.rows, box.row_bytes()};
}

LinkUp::LinkUp(cuda::DeviceId device, std::int64_t slot_bytes, std::int64_t staged_bytes,
               MemoryBudget& device_memory, MemoryBudget& host_memory, Timeline* timeline)
    : slot_bytes_{round_up(slot_bytes, kSlotAlignment)},
      timeline_{timeline},
      stream_{device},
      pieces_{device, staged_bytes, host_memory, "voxels to the device"},
      device_{device, device_memory, kBatches * slot_bytes_, "input voxels on the GPU"},
      came_{slot_events(device)},
      used_{slot_events(device)} {}

void LinkUp::load(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool) {
  const auto s = static_cast<std::size_t>(slot);
  if (box.maker) return;
  stream_.wait_for(used_[s]);
  if (const auto pinned = box.input.source->device_readable()) {
    const Noted noted{timeline_, "up", slot, stream_};
    RowCopies copies{stream_};
    for (std::int64_t p = 0; p < box.planes.count; ++p)
      copies.add({voxels(slot) + p * box.plane_bytes(), box.row_bytes()},
                 rows_of(*pinned, axes, source_box(box, box.planes.first + p)), box.row_bytes(),
                 box.rows);
    copies.flush();
  } else {
    const Noted noted{timeline_, "load", slot};
    stage(slot, box, axes, pool);
  }
  came_[s].record(stream_);
}

void LinkUp::stage(int slot, const SourceBox& box, const WorkAxes& axes, TaskPool& pool) {
  const PieceCut cut = cut_of(box);
  std::atomic<std::int64_t> next = 0;
  share_.for_each_thread(pool, cut.count(), [&](std::int64_t) {
    for (std::int64_t number = next++; number < cut.count(); number = next++) {
      stop_point();
      const int pinned = pieces_.take();
      try {
        stage_piece(slot, box, axes, cut[number], pinned);
      } catch (...) {
        pieces_.give_back(pinned);  // others must not wait for it
        throw;
      }
    }
  });
}

void LinkUp::stage_piece(int slot, const SourceBox& box, const WorkAxes& axes,
                         const PieceCut::Piece& piece, int pinned) {
  Source& source = *box.input.source;
  const std::int64_t bytes = piece.rows * box.row_bytes();
  for (std::int64_t p = 0; p < piece.planes; ++p) {
    Box3 part = source_box(box, box.planes.first + piece.plane + p);
    part.origin.y += piece.row;
    part.size.y = piece.rows;
    part = axes.to_volume(part);
    source.read(part, {pieces_.at(pinned) + p * bytes, source.pixel_type(), part.size});
  }
  const std::int64_t first = piece.plane * box.plane_bytes() + piece.row * box.row_bytes();
  cuda::enqueue_copy(stream_, voxels(slot) + first, pieces_.at(pinned), piece.planes * bytes);
  pieces_.give_back_after(pinned, stream_);
}

void LinkUp::taken(int slot, const cuda::Stream& compute) {
  used_[static_cast<std::size_t>(slot)].record(compute);
}

LinkDown::LinkDown(cuda::DeviceId device, WayDown way, std::int64_t slot_bytes,
                   std::int64_t staged_bytes, MemoryBudget& device_memory,
                   MemoryBudget& host_memory, Timeline* timeline)
    : slot_bytes_{slot_bytes},
      staged_bytes_{way == WayDown::batches ? staged_bytes : 0},
      timeline_{timeline},
      stream_{device},
      host_{device, host_memory, kBatches * staged_bytes_, "voxels from the device"},
      device_{device, device_memory, kBatches * slot_bytes, "result voxels on the GPU"},
      host_counts_{device, host_memory, kBatches * kCounts, "counts of voxels"},
      device_counts_{device, device_memory, kBatches * kCounts, "counts of voxels"},
      computed_{slot_events(device)},
      went_{slot_events(device)} {
  if (way == WayDown::pieces) pieces_.emplace(stream_, staged_bytes, host_memory);
}

unsigned long long* LinkDown::zeros(int slot, const cuda::Stream& compute) {
  unsigned long long* const counts = device_counts_.data() + slot * kCounts;
  cuda::enqueue_zeros(compute, counts, kCountBytes);
  return counts;
}

void LinkDown::begin(int slot) {
  stream_.wait_for(computed_[static_cast<std::size_t>(slot)]);
}

void LinkDown::end(int slot) {
  cuda::enqueue_copy(stream_, host_counts_.data() + slot * kCounts,
                     device_counts_.data() + slot * kCounts, kCountBytes);
  went_[static_cast<std::size_t>(slot)].record(stream_);
}

void LinkDown::send(int slot, const cuda::Stream& compute, const Box3& box, const VoxelView& direct,
                    const WorkAxes& axes) {
  computed_[static_cast<std::size_t>(slot)].record(compute);
  begin(slot);
  const Noted noted{timeline_, "down", slot, stream_};
  const std::int64_t row_bytes = box.size.x * size_of(direct.type()),
                     plane_bytes = box.size.y * row_bytes;
  RowCopies copies{stream_};
  for (std::int64_t p = 0; p < box.size.z; ++p) {
    const Box3 plane{{box.origin.z + p, box.origin.y, box.origin.x}, {1, box.size.y, box.size.x}};
    copies.add(rows_of(direct, axes, plane), {room(slot) + p * plane_bytes, row_bytes}, row_bytes,
               box.size.y);
  }
  copies.flush();
  end(slot);
}

void LinkDown::send(int slot, const cuda::Stream& compute, std::int64_t bytes) {
  computed_[static_cast<std::size_t>(slot)].record(compute);
  begin(slot);
  const Noted noted{timeline_, "down", slot, stream_};
  cuda::enqueue_copy(stream_, host_.data() + slot * staged_bytes_, room(slot), bytes);
  end(slot);
}

void LinkDown::send(int slot, const cuda::Stream& compute, const BatchOnDevice& batch) {
  computed_[static_cast<std::size_t>(slot)].record(compute);
  pieces_->send(slot, batch, {[this, slot] { begin(slot); }, [this, slot] { end(slot); }});
}

void LinkDown::store(int slot, TaskPool& pool, const PiecesDown::Store& store) {
  pieces_->store(slot, pool, store);
  went_[static_cast<std::size_t>(slot)].finish();  // the counts
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
