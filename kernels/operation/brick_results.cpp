// SPDX-License-Identifier: MIT
#include "kernels/operation/brick_results.hpp"

namespace synthoscope::kernels {
namespace {

void write_result(Sink& sink, const Box3& box, const VoxelView& voxels, TaskPool& pool) {
  const Extent3 one{1, box.size.y, box.size.x};
  const auto write_plane = [&](std::int64_t z) {
    const auto first = part_of_row(voxels, z, 0, 0, box.size.x);
    sink.write({{box.origin.z + z, box.origin.y, box.origin.x}, one},
               VoxelView{first.data(), voxels.type(), one});
  };
  if (sink.accepts() == BoxOrder::any) return pool.for_each(box.size.z, write_plane);
  for (std::int64_t z = 0; z < box.size.z; ++z) write_plane(z);
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
