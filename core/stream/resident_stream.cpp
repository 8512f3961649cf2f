// SPDX-License-Identifier: MIT
#include "core/stream/resident_stream.hpp"
#include "core/cuda/memory/memory.hpp"

namespace synthoscope::cuda {
namespace {

template <class Byte>
AnyView3<Byte> part_of(const AnyView3<Byte>& voxels, const Box3& box) {
  SYNTHOSCOPE_ASSERT(contains(voxels.extent(), box), ==, true);
  const Extent3& e = voxels.extent();
  const std::int64_t first = ((box.origin.z * e.y + box.origin.y) * e.x + box.origin.x);
  return {voxels.data() + first * size_of(voxels.type()), voxels.type(), e};
}

/// Copies a box of `size` between views that begin with it; waits. Planes that are whole in both
/// views are one copy: each copy of a small plane takes longer than its bytes.
void copy_box(DeviceId device, const Extent3& size, VoxelView to, ConstVoxelView from) {
  SYNTHOSCOPE_ASSERT(name_of(to.type()), ==, name_of(from.type()));
  const Stream stream{device};
  const std::int64_t voxel = size_of(to.type());
  const bool whole_planes = size.y == to.extent().y && size.y == from.extent().y;
  const std::int64_t copies = whole_planes ? 1 : size.z,
                     rows = whole_planes ? size.y * size.z : size.y;
  for (std::int64_t z = 0; z < copies; ++z)
    enqueue_copy_rows(stream, to.data() + z * to.extent().y * to.pitch() * voxel,
                      to.pitch() * voxel, from.data() + z * from.extent().y * from.pitch() * voxel,
                      from.pitch() * voxel, size.x * voxel, rows);
  stream.finish();
}

/// Returns the device that holds a box of `memory`. If that is null, all is on `device`.
std::optional<DeviceId> device_of_box(const ConstVoxelView& voxels, const Box3& box,
                                      const SpreadMemory* memory, DeviceId device) {
  if (!memory) return device;
  const Extent3& e = voxels.extent();
  const auto offset = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return ((z * e.y + y) * e.x + x) * size_of(voxels.type());
  };
  const Index3& o = box.origin;
  const Extent3& n = box.size;
  return memory->device_of(offset(o.z, o.y, o.x), offset(o.z + n.z - 1, o.y + n.y - 1, o.x + n.x));
}

std::byte* first_of(const SpreadMemory& memory, const Extent3& extent, PixelType type) {
  SYNTHOSCOPE_ASSERT(volume(extent) * size_of(type), <=, memory.bytes());
  return memory.data();
}

}  // namespace

ResidentSource::ResidentSource(const SpreadMemory& memory, const Extent3& extent, PixelType type)
    : device_{memory.device()},
      memory_{&memory},
      voxels_{first_of(memory, extent, type), type, extent} {}

void ResidentSource::read(const Box3& box, VoxelView out) {
  copy_box(device_, box.size, out, part_of(voxels_, box));
}

std::optional<DeviceId> ResidentSource::device_of(const Box3& box) const {
  return device_of_box(voxels_, box, memory_, device_);
}

ResidentSink::ResidentSink(const SpreadMemory& memory, const Extent3& extent, PixelType type)
    : device_{memory.device()},
      memory_{&memory},
      voxels_{first_of(memory, extent, type), type, extent} {}

std::optional<DeviceId> ResidentSink::device_of(const Box3& box) const {
  return device_of_box(voxels_, box, memory_, device_);
}

void ResidentSink::write(const Box3& box, ConstVoxelView voxels) {
  copy_box(device_, box.size, part_of(voxels_, box), voxels);
}

}  // namespace synthoscope::cuda
