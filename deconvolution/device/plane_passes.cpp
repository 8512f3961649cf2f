// SPDX-License-Identifier: MIT
#include "deconvolution/device/plane_passes.hpp"
#include <algorithm>
#include "core/run/host_buffer.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/link/plane_pieces.hpp"

namespace synthoscope::deconvolution::device {
namespace {

using fftconv::device::for_batches;
using fftconv::device::for_pieces;
using fftconv::device::kRowsTogether;

constexpr std::int64_t kFloat = sizeof(float);

/// Bytes of a volume that are read and copied at once, at least one plane.
constexpr std::int64_t kCopiedAtOnce = std::int64_t{64} << 20;

/// Returns the voxels of a sink, as of a source.
float* pinned_room(Sink& sink) {
  const auto voxels = sink.device_writable();
  if (!voxels || !voxels->is_contiguous()) return nullptr;
  return reinterpret_cast<float*>(voxels->data());
}

/// Copies a float32 volume of the host to the device; waits.
void copy_up(Source& from, float* to, const cuda::Stream& stream, const RunContext& context) {
  const Extent3 e = from.extent();
  const std::int64_t plane_voxels = e.y * e.x;
  const std::int64_t together =
      std::clamp<std::int64_t>(kCopiedAtOnce / (plane_voxels * kFloat), 1, e.z);
  const HostBuffer<float> here{context.memory, together * plane_voxels, "planes for the GPU"};
  for (std::int64_t first = 0; first < e.z; first += together) {
    context.stop.check();
    const std::int64_t count = std::min(together, e.z - first);
    context.pool.for_each(count, [&](std::int64_t i) {
      from.read(plane(e, first + i),
                HostView3<float>{here.data() + i * plane_voxels, {1, e.y, e.x}});
    });
    cuda::enqueue_copy(stream, to + first * plane_voxels, here.data(),
                       count * plane_voxels * kFloat);
  }
  stream.finish();
}

}  // namespace

WorkedVolume::WorkedVolume(cuda::DeviceId device, MemoryBudget& device_memory,
                           const Extent3& extent, std::string_view what)
    : voxels_{device, device_memory, volume(extent), what} {
  resident_.emplace(device, ConstVoxelView{reinterpret_cast<const std::byte*>(voxels_.data()),
                                           PixelType::float32, extent});
}

Source& WorkedVolume::source() {
  if (resident_) return *resident_;
  return *source_;
}

void WorkedVolume::fill(Source& from, const cuda::Stream& stream, const RunContext& context) {
  if (resident_) return copy_up(from, on_device(), stream, context);
  if (&from == source_) return;
  StoreAs as_stored{PixelType::float32};
  carry("fill a volume", from, as_stored, *sink_, context);
}

const float* pinned_voxels(const Source& source) {
  const auto voxels = source.device_readable();
  if (!voxels || !voxels->is_contiguous()) return nullptr;
  return reinterpret_cast<const float*>(voxels->data());
}

std::int64_t SlotSize::planes_of(const Extent3& extent) const {
  return std::clamp<std::int64_t>(planes_bytes / (extent.y * extent.x * kFloat), 1, extent.z);
}

void SlotSize::hold(const Extent3& extent, std::int64_t volumes) {
  voxels = std::max(voxels, volumes * planes_of(extent) * extent.y * extent.x);
}

PlanePasses::Slot::Slot(cuda::DeviceId device)
    : came{device, cuda::Waiting::blocking},
      used{device, cuda::Waiting::blocking},
      went{device, cuda::Waiting::blocking} {}

PlanePasses::PlanePasses(cuda::DeviceId device, const fftconv::WorkAxes& axes, const SlotSize& size,
                         MemoryBudget& device_memory, const RunContext& context)
    : axes_{axes},
      size_{size},
      context_{context},
      up_{device},
      down_{device},
      device_{device, device_memory, kSlots * size.voxels, "planes on the GPU"},
      host_{device, context.memory, size.is_staged ? kSlots * size.voxels : 0,
            "planes for the GPU"},
      written_{device} {
  for (int i = 0; i < kSlots; ++i) slots_.emplace_back(device);
}

void PlanePasses::run(cuda::Stream& compute, std::span<const Passing> volumes,
                      const Extent3& extent, const Work& work) {
  const Interval all{0, extent.z};
  if (volumes.front().volume->on_device()) {
    std::vector<float*> voxels;
    for (const Passing& one : volumes) voxels.push_back(one.volume->on_device());
    return work(all, voxels);
  }
  // Planes that an earlier pass wrote are read from the host
  up_.wait_for(written_);
  for_batches(all, size_.planes_of(extent), context_.stop, [&](const Interval& planes) {
    pass(compute, volumes, {next_, extent, planes}, work);
    next_ = (next_ + 1) % kSlots;
  });
  for (Slot& slot : slots_) write(slot);
  written_.record(down_);
}

void PlanePasses::pass(cuda::Stream& compute, std::span<const Passing> volumes, const Group& group,
                       const Work& work) {
  Slot& slot = slots_[static_cast<std::size_t>(group.slot)];
  write(slot);
  up_.wait_for(slot.used);
  up_.wait_for(slot.went);
  const std::int64_t room = size_.planes_of(group.extent) * group.extent.y * group.extent.x;
  std::vector<float*> voxels;
  for (const Passing& one : volumes) {
    const std::int64_t offset =
        group.slot * size_.voxels + static_cast<std::int64_t>(voxels.size()) * room;
    if (one.is_read) bring(one.volume->source(), group, offset);
    voxels.push_back(device_.data() + offset);
  }
  slot.came.record(up_);
  compute.wait_for(slot.came);
  work(group.planes, voxels);
  slot.used.record(compute);
  down_.wait_for(slot.used);
  for (std::size_t i = 0; i < volumes.size(); ++i)
    if (volumes[i].is_written) send(*volumes[i].volume->sink(), group, voxels[i] - device_.data());
  slot.went.record(down_);
}

void PlanePasses::bring(Source& source, const Group& group, std::int64_t offset) {
  const std::int64_t plane = group.extent.y * group.extent.x,
                     bytes = group.planes.count * plane * kFloat;
  const float* from = pinned_voxels(source);
  if (from) {
    from += group.planes.first * plane;
  } else {
    float* const buffer = host_.data() + offset;
    slots_[static_cast<std::size_t>(group.slot)].came.finish();  // what was in the buffer
    for_boxes(group.extent, group.planes, [&](const Box3& box, std::int64_t at) {
      source.read(box, HostView3<float>{buffer + at, box.size});
    });
    from = buffer;
  }
  cuda::enqueue_copy(up_, device_.data() + offset, from, bytes);
  copied_.up += bytes;
}

void PlanePasses::send(Sink& sink, const Group& group, std::int64_t offset) {
  const std::int64_t plane = group.extent.y * group.extent.x,
                     bytes = group.planes.count * plane * kFloat;
  float* to = pinned_room(sink);
  if (to) {
    to += group.planes.first * plane;
  } else {
    to = host_.data() + offset;
    slots_[static_cast<std::size_t>(group.slot)].written.push_back(
        {&sink, to, group.extent, group.planes});
  }
  cuda::enqueue_copy(down_, to, device_.data() + offset, bytes);
  copied_.down += bytes;
}

void PlanePasses::write(Slot& slot) {
  if (slot.written.empty()) return;
  slot.went.finish();
  for (const Slot::Written& one : slot.written)
    for_boxes(one.extent, one.planes, [&](const Box3& box, std::int64_t at) {
      one.sink->write(box, HostView3<const float>{one.voxels + at, box.size});
    });
  slot.written.clear();
}

/// Calls `body(box, offset)` for pieces of planes, each a box of the volume.
template <class Body>
void PlanePasses::for_boxes(const Extent3& extent, const Interval& planes, Body&& body) {
  for_pieces(context_.pool, planes.count, extent.y, kRowsTogether,
             [&](std::int64_t plane, std::int64_t first, std::int64_t rows) {
               body(axes_.to_volume(Box3{{planes.first + plane, first, 0}, {1, rows, extent.x}}),
                    (plane * extent.y + first) * extent.x);
             });
}

void PlanePasses::drain() const noexcept {
  up_.drain();
  down_.drain();
}

}  // namespace synthoscope::deconvolution::device
