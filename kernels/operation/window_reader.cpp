// SPDX-License-Identifier: MIT
#include "kernels/operation/window_reader.hpp"
#include <algorithm>
#include <cstring>

namespace synthoscope::kernels {
namespace {

/// Calls `body(at, position, count)` for the pieces of [origin, origin + size) that lie in one
/// period of a repeated axis of length `n`: `at` counts from `origin`, `position` along the axis.
template <class Body>
void for_each_piece(std::int64_t origin, std::int64_t size, std::int64_t n, Body&& body) {
  for (std::int64_t at = 0; at < size;) {
    const std::int64_t position = wrapped_index(origin + at, n);
    const std::int64_t count = std::min(size - at, n - position);
    body(at, position, count);
    at += count;
  }
}

/// Returns how far `next` begins after `held` if both share voxels, otherwise -1.
std::int64_t shift(std::int64_t held, std::int64_t held_size, std::int64_t next) {
  return next >= held && next < held + held_size ? next - held : -1;
}

}  // namespace

Box3 WindowReader::missing_of(const Box3& box) const {
  const auto same = [](std::int64_t a, std::int64_t na, std::int64_t b, std::int64_t nb) {
    return a == b && na == nb;
  };
  const Index3 &h = held_.origin, &o = box.origin;
  const Extent3 &hn = held_.size, &n = box.size;
  if (!same(h.x, hn.x, o.x, n.x)) return box;
  Box3 missing = box;
  if (same(h.y, hn.y, o.y, n.y) && shift(h.z, hn.z, o.z) >= 0) {
    const std::int64_t kept = std::min(h.z + hn.z, o.z + n.z) - o.z;
    missing.origin.z += kept;
    missing.size.z -= kept;
  } else if (same(h.z, hn.z, o.z, n.z) && n.z == 1 && shift(h.y, hn.y, o.y) >= 0) {
    const std::int64_t kept = std::min(h.y + hn.y, o.y + n.y) - o.y;
    missing.origin.y += kept;
    missing.size.y -= kept;
  }
  return missing;
}

Window WindowReader::read(const Box3& box, TaskPool& pool) {
  const Box3 missing = missing_of(box);
  const std::int64_t voxel = size_of(source_.pixel_type());
  const std::int64_t kept = (volume(box.size) - volume(missing.size)) * voxel;
  if (kept > 0) {
    const std::int64_t planes = box.origin.z - held_.origin.z;
    const std::int64_t rows = planes * held_.size.y + (box.origin.y - held_.origin.y);
    std::memmove(room_, room_ + rows * box.size.x * voxel, static_cast<std::size_t>(kept));
  }
  held_ = {};  // if the source throws
  fill(box, missing, pool);
  held_ = box;
  return {source_.extent(), box, ConstVoxelView{room_, source_.pixel_type(), box.size}};
}

void WindowReader::fill(const Box3& box, const Box3& missing, TaskPool& pool) {
  const Extent3 image = source_.extent();
  const std::int64_t voxel = size_of(source_.pixel_type());
  // If there are fewer planes than threads, each is read in as many parts as threads
  const std::int64_t cuts = missing.size.z >= pool.threads() ? 1 : pool.threads();
  const std::int64_t rows = std::max<std::int64_t>((missing.size.y + cuts - 1) / cuts, 1);
  const std::int64_t stretches = (missing.size.y + rows - 1) / rows;
  pool.for_each(missing.size.z * stretches, [&](std::int64_t i) {
    const std::int64_t z = missing.origin.z + i / stretches;
    const std::int64_t first = missing.origin.y + i % stretches * rows;
    const std::int64_t count = std::min(rows, missing.origin.y + missing.size.y - first);
    const std::int64_t row = (z - box.origin.z) * box.size.y + (first - box.origin.y);
    std::byte* const to = room_ + row * box.size.x * voxel;
    for_each_piece(first, count, image.y, [&](std::int64_t at_y, std::int64_t y, std::int64_t ny) {
      const auto read = [&](std::int64_t at_x, std::int64_t x, std::int64_t nx) {
        const Box3 piece{{wrapped_index(z, image.z), y, x}, {1, ny, nx}};
        std::byte* const there = to + (at_y * box.size.x + at_x) * voxel;
        source_.read(piece, {there, source_.pixel_type(), piece.size, box.size.x});
      };
      for_each_piece(box.origin.x, box.size.x, image.x, read);
    });
  });
}

void WindowReader::expect(const Box3& next) {
  const Box3 missing = intersection(missing_of(next), whole(source_.extent()));
  if (volume(missing.size) > 0) source_.expect(missing);
}

}  // namespace synthoscope::kernels
