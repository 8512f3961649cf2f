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

std::byte* first_of(const SpreadMemory& memory, const Extent3& extent, PixelType type) {
  SYNTHOSCOPE_ASSERT(volume(extent) * size_of(type), <=, memory.bytes());
  return memory.data();
}

}  // namespace

ResidentSource::ResidentSource(const SpreadMemory& memory, const Extent3& extent, PixelType type)
    : device_{memory.device()},
      alone_{memory.is_on_one()},
      voxels_{first_of(memory, extent, type), type, extent} {}

void ResidentSource::read(const Box3& box, VoxelView out) {
  copy_box(device_, box.size, out, part_of(voxels_, box));
}

ResidentSink::ResidentSink(const SpreadMemory& memory, const Extent3& extent, PixelType type)
    : device_{memory.device()},
      alone_{memory.is_on_one()},
      voxels_{first_of(memory, extent, type), type, extent} {}

void ResidentSink::write(const Box3& box, ConstVoxelView voxels) {
  copy_box(device_, box.size, part_of(voxels_, box), voxels);
}

}  // namespace synthoscope::cuda
