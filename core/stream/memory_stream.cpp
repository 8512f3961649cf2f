// SPDX-License-Identifier: MIT
#include "core/stream/memory_stream.hpp"
#include <cstring>

namespace synthoscope {
namespace {

/// Copies rows between two views of one type, `from` starting at `box.origin` of its volume.
void copy_rows(const Extent3& size, const std::byte* from, std::int64_t from_pitch,
               std::int64_t from_plane, std::byte* to, std::int64_t to_pitch, std::int64_t to_plane,
               std::int64_t row_bytes) {
  // Large copies at once go past the caches
  const bool together = from_pitch == row_bytes && to_pitch == row_bytes;
  const std::int64_t steps = together ? 1 : size.y;
  const auto bytes = static_cast<std::size_t>(together ? size.y * row_bytes : row_bytes);
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < steps; ++y)
      std::memcpy(to + z * to_plane + y * to_pitch, from + z * from_plane + y * from_pitch, bytes);
}

/// Bytes from row to row, from plane to plane, and from the first voxel to `origin`.
struct ByteStrides {
  std::int64_t row, plane, origin;
};

template <class Byte>
ByteStrides strides(const AnyView3<Byte>& view, const Index3& origin) {
  const std::int64_t voxel = size_of(view.type());
  const std::int64_t row = view.pitch() * voxel;
  const std::int64_t plane = view.extent().y * row;
  return {row, plane, origin.z * plane + origin.y * row + origin.x * voxel};
}

}  // namespace

void MemorySource::read(const Box3& box, VoxelView out) {
  SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
  SYNTHOSCOPE_ASSERT(contains(voxels_.extent(), box), ==, true);
  SYNTHOSCOPE_ASSERT(voxels_.type(), ==, out.type());
  const auto from = strides(voxels_, box.origin);
  const auto to = strides(out, {});
  copy_rows(box.size, voxels_.data() + from.origin, from.row, from.plane, out.data(), to.row,
            to.plane, box.size.x * size_of(out.type()));
}

void MemorySink::write(const Box3& box, ConstVoxelView voxels) {
  SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
  SYNTHOSCOPE_ASSERT(contains(voxels_.extent(), box), ==, true);
  SYNTHOSCOPE_ASSERT(voxels_.type(), ==, voxels.type());
  const auto from = strides(voxels, {});
  const auto to = strides(voxels_, box.origin);
  copy_rows(box.size, voxels.data(), from.row, from.plane, voxels_.data() + to.origin, to.row,
            to.plane, box.size.x * size_of(voxels.type()));
}

template <class T>
Volume<T> read_all(Source& source) {
  Volume<T> result{source.extent()};
  if (source.pixel_type() == pixel_type_of<T>()) {
    source.read(whole(result.extent), VoxelView{result.view()});
    return result;
  }
  // Convert plane by plane, so that the native copy stays small
  const Extent3 one{1, result.extent.y, result.extent.x};
  visit_pixel_type(source.pixel_type(), [&](auto zero) {
    using Native = decltype(zero);
    Volume<Native> native{one};
    for (std::int64_t z = 0; z < result.extent.z; ++z) {
      source.read(plane(result.extent, z), VoxelView{native.view()});
      T* out = result.view().row(z, 0);
      for (const Native v : native.voxels) *out++ = static_cast<T>(v);
    }
  });
  return result;
}

template Volume<float> read_all(Source&);
template Volume<double> read_all(Source&);

}  // namespace synthoscope
