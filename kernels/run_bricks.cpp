// SPDX-License-Identifier: MIT
#include "kernels/run_bricks.hpp"
#include <algorithm>
#include "core/host_buffer.hpp"
#include "kernels/window_reader.hpp"

namespace synthoscope::kernels {
namespace {

/// The results of a brick in memory of BrickPlan::result_bytes, one behind the other.
std::vector<VoxelView> results_in(std::byte* room, const Extent3& brick,
                                  const std::vector<PixelType>& types) {
  std::vector<VoxelView> results;
  for (const PixelType type : types) {
    results.emplace_back(room, type, brick);
    room += result_bytes(brick, type);
  }
  return results;
}

/// Plane by plane, at once where the sink takes boxes in any order.
void write(Sink& sink, const Box3& box, const VoxelView& voxels, TaskPool& pool) {
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

void run_bricks(const BrickPlan& plan, Operation& operation, Source& source,
                std::span<Sink* const> sinks, const RunContext& context) {
  const std::vector<PixelType> types = operation.types();
  SYNTHOSCOPE_ASSERT(sinks.size(), ==, types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    SYNTHOSCOPE_ASSERT(sinks[i]->extent(), ==, plan.result);
    SYNTHOSCOPE_ASSERT(name_of(sinks[i]->pixel_type()), ==, name_of(types[i]));
  }
  const HostBuffer<std::byte> window{context.memory, plan.window_bytes, "a window of the image"};
  const HostBuffer<std::byte> made{context.memory, plan.result_bytes, "results of a brick"};
  const auto working = context.memory.reserve(plan.working_bytes, operation.stage());
  WindowReader reader{source, window.data()};

  const std::int64_t bricks = brick_count(plan);
  context.progress.begin(operation.stage(), volume(plan.result));
  for (std::int64_t i = 0; i < bricks; ++i) {
    const Box3 box = brick_at(plan, i);
    if (i < finished_steps(context)) {
      context.progress.advance(volume(box.size));
      continue;
    }
    context.stop.check();
    const Window in = reader.read(operation.needs(box), context.pool);
    if (i + 1 < bricks) reader.expect(operation.needs(brick_at(plan, i + 1)));
    const std::vector<VoxelView> results = results_in(made.data(), box.size, types);
    operation.apply(in, box, results, context.pool);
    for (std::size_t result = 0; result < results.size(); ++result)
      write(*sinks[result], box, results[result], context.pool);
    context.progress.advance(volume(box.size));
    finish_steps(context, i + 1);
  }
}

}  // namespace synthoscope::kernels
