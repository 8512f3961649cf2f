// SPDX-License-Identifier: MIT
#include "imageio/chunks/grid.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

/// Where a voxel of a box is in its view, in bytes.
std::int64_t place_in(const Box3& box, std::int64_t pitch, std::int64_t voxel, const Index3& at) {
  const std::int64_t row = (at.z - box.origin.z) * box.size.y + (at.y - box.origin.y);
  return (row * pitch + at.x - box.origin.x) * voxel;
}

}  // namespace

Box3 ChunkGrid::box(std::int64_t number) const {
  const std::int64_t x = number % count.x, y = number / count.x % count.y,
                     z = number / count.x / count.y;
  return {{z * chunk.z, y * chunk.y, x * chunk.x}, chunk};
}

ChunkGrid grid_of(const Extent3& all, const Extent3& chunk, PixelType type) {
  const Extent3 size{std::min(chunk.z, all.z), std::min(chunk.y, all.y), std::min(chunk.x, all.x)};
  const auto count = [](std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
  };
  return {size, {count(all.z, size.z), count(all.y, size.y), count(all.x, size.x)}, type};
}

ChunkGrid grid_of(const ImageSpec& spec) {
  return grid_of(spec.extent, spec.chunks.value_or(Extent3{16, 256, 256}), spec.type);
}

void check_chunks(const std::filesystem::path& path, const ImageSpec& spec) {
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", path.string(), found, advice));
  };
  if (const Extent3 wanted = spec.chunks.value_or(Extent3{1, 1, 1}); !is_positive(wanted))
    refuse(fmt::format("chunks of {} voxels were requested", wanted), "give at least 1x1x1");
  constexpr std::int64_t kMaxChunkBytes = std::int64_t{1} << 30;
  if (grid_of(spec).chunk_bytes() > kMaxChunkBytes)
    refuse(fmt::format("chunks of {} voxels of {} exceed 1 GiB", grid_of(spec).chunk,
                       name_of(spec.type)),
           "choose smaller --chunks");
}

void copy_common(const Box3& from_box, ConstVoxelView from, const Box3& to_box, VoxelView to) {
  const Box3 part = intersection(from_box, to_box);
  const std::int64_t voxel = size_of(from.type());
  for (std::int64_t z = 0; z < part.size.z; ++z)
    for (std::int64_t y = 0; y < part.size.y; ++y) {
      const Index3 at{part.origin.z + z, part.origin.y + y, part.origin.x};
      std::memcpy(to.data() + place_in(to_box, to.pitch(), voxel, at),
                  from.data() + place_in(from_box, from.pitch(), voxel, at),
                  static_cast<std::size_t>(part.size.x * voxel));
    }
}

void write_chunk_part(const Box3& chunk, const Box3& box, ConstVoxelView voxels, std::int64_t all_x,
                      const std::function<void(std::int64_t, std::span<const std::byte>)>& write) {
  constexpr std::int64_t kTogether = 1 << 18;
  const Box3 part = intersection(chunk, box);
  const std::int64_t voxel = size_of(voxels.type()), row_bytes = part.size.x * voxel;
  const std::int64_t pitch = chunk.size.x * voxel;
  const bool is_whole_row = part.size.x == std::min(chunk.size.x, all_x - chunk.origin.x);
  const std::int64_t at_once = is_whole_row ? std::max<std::int64_t>(1, kTogether / pitch) : 1;
  std::vector<std::byte> rows;
  for (std::int64_t z = part.origin.z; z < part.origin.z + part.size.z; ++z)
    for (std::int64_t y = 0; y < part.size.y; y += at_once) {
      const Index3 first{z, part.origin.y + y, part.origin.x};
      const std::int64_t to = place_in(chunk, chunk.size.x, voxel, first);
      const std::int64_t count = std::min(at_once, part.size.y - y);
      const std::byte* from = voxels.data() + place_in(box, voxels.pitch(), voxel, first);
      if (count == 1 && row_bytes == (is_whole_row ? pitch : row_bytes)) {
        write(to, {from, static_cast<std::size_t>(row_bytes)});
        continue;
      }
      rows.assign(static_cast<std::size_t>(count * pitch), std::byte{0});
      for (std::int64_t i = 0; i < count; ++i)
        std::memcpy(rows.data() + i * pitch, from + i * voxels.pitch() * voxel,
                    static_cast<std::size_t>(row_bytes));
      write(to, rows);
    }
}

ChunkGrid planes_of_chunks(const Extent3& all, const ChunkGrid& grid) {
  return grid_of(all, {1, grid.chunk.y, grid.chunk.x}, grid.type);
}

bool read_chunk_part(const Box3& chunk, const Box3& box, VoxelView voxels,
                     const std::function<bool(std::int64_t, std::span<std::byte>)>& read) {
  const std::int64_t voxel = size_of(voxels.type());
  const bool is_whole_row = box.size.x == chunk.size.x && voxels.pitch() == box.size.x;
  const std::int64_t at_once = is_whole_row ? box.size.y : 1;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; y += at_once) {
      const Index3 at{box.origin.z + z, box.origin.y + y, box.origin.x};
      const std::span row{voxels.data() + place_in(box, voxels.pitch(), voxel, at),
                          static_cast<std::size_t>(at_once * box.size.x * voxel)};
      if (!read(place_in(chunk, chunk.size.x, voxel, at), row)) return false;
    }
  return true;
}

}  // namespace synthoscope::imageio
