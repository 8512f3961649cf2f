// SPDX-License-Identifier: MIT
#include "kernels/operation/brick_results.hpp"
#include <algorithm>

namespace synthoscope::kernels {
namespace {

/// Pieces of a plane that several threads write, where there are fewer planes than threads.
constexpr std::int64_t kPieceBytes = std::int64_t{256} << 10;

void write_result(Sink& sink, const Box3& box, const VoxelView& voxels, TaskPool& pool) {
  const auto write_rows = [&](std::int64_t z, std::int64_t y, std::int64_t rows) {
    const Extent3 piece{1, rows, box.size.x};
    const auto first = part_of_row(voxels, z, y, 0, box.size.x);
    sink.write({{box.origin.z + z, box.origin.y + y, box.origin.x}, piece},
               VoxelView{first.data(), voxels.type(), piece});
  };
  if (sink.accepts() != BoxOrder::any) {
    for (std::int64_t z = 0; z < box.size.z; ++z) write_rows(z, 0, box.size.y);
    return;
  }
  const std::int64_t row_bytes = box.size.x * size_of(voxels.type());
  const std::int64_t rows = box.size.z < pool.threads()
                                ? std::clamp<std::int64_t>(kPieceBytes / row_bytes, 1, box.size.y)
                                : box.size.y;
  const std::int64_t pieces = (box.size.y + rows - 1) / rows;
  pool.for_each(box.size.z * pieces, [&](std::int64_t i) {
    const std::int64_t y = i % pieces * rows;
    write_rows(i / pieces, y, std::min(rows, box.size.y - y));
  });
}

}  // namespace

std::vector<VoxelView> results_in(std::byte* room, const Extent3& brick,
                                  const std::vector<PixelType>& types) {
  std::vector<VoxelView> results;
  for (const PixelType type : types) {
    results.emplace_back(room, type, brick);
    room += result_bytes(brick, type);
  }
  return results;
}

void write_results(std::span<Sink* const> sinks, const Box3& box,
                   std::span<const VoxelView> results, TaskPool& pool) {
  for (std::size_t i = 0; i < results.size(); ++i) write_result(*sinks[i], box, results[i], pool);
}

void require_sinks(std::span<Sink* const> sinks, const Operation& operation) {
  const std::vector<PixelType> types = operation.types();
  SYNTHOSCOPE_ASSERT(sinks.size(), ==, types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    SYNTHOSCOPE_ASSERT(sinks[i]->extent(), ==, operation.extent());
    SYNTHOSCOPE_ASSERT(sinks[i]->pixel_type(), ==, types[i]);
  }
}

}  // namespace synthoscope::kernels
