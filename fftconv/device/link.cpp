// SPDX-License-Identifier: MIT
#include "fftconv/device/link.hpp"
#include <algorithm>

namespace synthoscope::fftconv::device {
namespace {

std::vector<cuda::Event> events(cuda::DeviceId device) {
  std::vector<cuda::Event> made;
  for (int i = 0; i < kBatches; ++i) made.emplace_back(device);
  return made;
}

/// Rows of a plane that one thread reads or finishes at once; a multiple of what epilogues align
/// to.
constexpr std::int64_t kRowsTogether = 256;

/// Calls `body(plane, first row, rows)` for pieces of `planes` planes.
template <class Body>
void for_pieces(TaskPool& pool, std::int64_t planes, std::int64_t rows, Body&& body) {
  const std::int64_t pieces = (rows + kRowsTogether - 1) / kRowsTogether;
  pool.for_each(planes * pieces, [&](std::int64_t i) {
    const std::int64_t first = i % pieces * kRowsTogether;
    body(i / pieces, first, std::min(kRowsTogether, rows - first));
  });
}

}  // namespace

Link::Link(const cuda::DeviceInfo& device, const DeviceLayout& sizes, MemoryBudget& device_memory,
           MemoryBudget& host_memory)
    : sizes_{sizes},
      up_{device.id},
      down_{device.id},
      host_up_{device.id, host_memory, kBatches * sizes.batch_planes * sizes.load_bytes,
               "voxels to the device"},
      host_out_{device.id, host_memory,
                sizes.batch_planes * sizes.store_voxels * sizes.stored_voxel_bytes,
                "voxels to be stored"},
      host_down_{device.id, host_memory, kBatches * sizes.batch_planes * sizes.store_voxels,
                 "voxels from the device"},
      device_up_{device.id, device_memory, host_up_.count(), "voxels that come"},
      device_down_{device.id, device_memory, host_down_.count(), "voxels that go"},
      came_{events(device.id)},
      used_{events(device.id)},
      computed_{events(device.id)},
      went_{events(device.id)} {}

const std::byte* Link::bring(cuda::Stream& compute, const PlaneInput& input, const Stretch& planes,
                             const SourceRectangle& from, const WorkAxes& axes, TaskPool& pool) {
  const auto slot = static_cast<std::size_t>(brought_ % kBatches);
  const std::int64_t offset =
      static_cast<std::int64_t>(slot) * sizes_.batch_planes * sizes_.load_bytes;
  came_[slot].finish();  // the copy that was taken from here has been made
  const PixelType type = input.source->pixel_type();
  const std::int64_t row_bytes = from.columns * size_of(type), plane_bytes = from.rows * row_bytes;
  std::byte* const host = host_up_.data() + offset;
  for_pieces(
      pool, planes.count, from.rows,
      [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
        const std::int64_t z = input.plane_source[static_cast<std::size_t>(planes.first + plane)];
        const Box3 box = axes.to_volume(Box3{{z, from.y + first, from.x}, {1, rows, from.columns}});
        input.source->read(box, {host + plane * plane_bytes + first * row_bytes, type, box.size});
      });
  up_.wait_for(used_[slot]);
  cuda::enqueue_copy(up_, device_up_.data() + offset, host, planes.count * plane_bytes);
  came_[slot].record(up_);
  compute.wait_for(came_[slot]);
  return device_up_.data() + offset;
}

void Link::taken(const cuda::Stream& compute) {
  used_[static_cast<std::size_t>(brought_++ % kBatches)].record(compute);
}

float* Link::room_to_send(cuda::Stream& compute) {
  const auto slot = static_cast<std::size_t>(sent_ % kBatches);
  compute.wait_for(went_[slot]);
  return device_down_.data() +
         static_cast<std::int64_t>(slot) * sizes_.batch_planes * sizes_.store_voxels;
}

void Link::send(const cuda::Stream& compute, const ResultBox& box, const Stretch& planes,
                const PlaneOutput& output, const WorkAxes& axes, const RunContext& context) {
  const std::int64_t slot = sent_++ % kBatches;
  const auto s = static_cast<std::size_t>(slot);
  const std::int64_t offset = slot * sizes_.batch_planes * sizes_.store_voxels;
  computed_[s].record(compute);
  down_.wait_for(computed_[s]);
  cuda::enqueue_copy(down_, host_down_.data() + offset, device_down_.data() + offset,
                     planes.count * box.rows * box.columns * std::int64_t{sizeof(float)});
  went_[s].record(down_);
  waiting_.push_back({box, planes, slot});
  // The oldest must be out before its slot is filled again
  while (static_cast<int>(waiting_.size()) >= kBatches) write_out_oldest(output, axes, context);
}

void Link::finish_sending(const PlaneOutput& output, const WorkAxes& axes,
                          const RunContext& context) {
  while (!waiting_.empty()) write_out_oldest(output, axes, context);
}

void Link::write_out_oldest(const PlaneOutput& output, const WorkAxes& axes,
                            const RunContext& context) {
  const Batch batch = waiting_.front();
  waiting_.pop_front();
  went_[static_cast<std::size_t>(batch.slot)].finish();
  const ResultBox& box = batch.box;
  const bool any = output.sink->accepts() == BoxOrder::any;
  const std::int64_t row = box.columns, plane = box.rows * row;
  float* const voxels = host_down_.data() + batch.slot * sizes_.batch_planes * sizes_.store_voxels;
  for_pieces(context.pool, batch.planes.count, box.rows,
             [&](std::int64_t p, std::int64_t first, std::int64_t rows) {
               const Box3 piece{{box.first + batch.planes.first + p, box.y + first, box.x},
                                {1, rows, row}};
               const std::int64_t at = p * plane + first * row;
               finish_box(output, axes, piece, voxels + at,
                          host_out_.data() + at * sizes_.stored_voxel_bytes,
                          [&](const Box3& where, ConstVoxelView out) {
                            if (any) output.sink->write(axes.to_volume(where), out);
                          });
             });
  context.progress.advance(batch.planes.count);
  if (any) return;
  const Box3 whole = axes.to_volume(
      Box3{{box.first + batch.planes.first, 0, 0}, {batch.planes.count, box.rows, box.columns}});
  output.sink->write(whole, {host_out_.data(), output.sink->pixel_type(), whole.size});
}

}  // namespace synthoscope::fftconv::device
