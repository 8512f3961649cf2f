// SPDX-License-Identifier: MIT
#include "kernels/operation/run_bricks.hpp"
#include "core/run/host_buffer.hpp"
#include "kernels/operation/brick_results.hpp"
#include "kernels/operation/window_reader.hpp"

namespace synthoscope::kernels {

void run_bricks(const BrickPlan& plan, Operation& operation, Source& source,
                std::span<Sink* const> sinks, const RunContext& context) {
  const StopScope stops{context.stop};
  const std::vector<PixelType> types = operation.types();
  require_sinks(sinks, operation);
  const HostBuffer<std::byte> window{context.memory, plan.window_bytes, "a window of the image"};
  const HostBuffer<std::byte> made{context.memory, plan.result_bytes, "results of a brick"};
  const auto working = context.memory.reserve(plan.working_bytes, operation.stage());
  WindowReader reader{source, window.data()};

  const auto bricks = steps_to_do(context, brick_count(plan)).numbers();
  context.progress.begin(operation.stage(), voxels_of(plan, bricks));
  for (std::size_t i = 0; i < bricks.size(); ++i) {
    context.stop.check();
    const Box3 box = brick_at(plan, bricks[i]);
    const Window in = reader.read(operation.needs(box), context.pool);
    if (i + 1 < bricks.size()) reader.expect(operation.needs(brick_at(plan, bricks[i + 1])));
    const std::vector<VoxelView> results = results_in(made.data(), box.size, types);
    operation.apply(in, box, results, context.pool);
    write_results(sinks, box, results, context.pool);
    context.progress.advance(volume(box.size));
    finish_step(context, bricks[i]);
  }
}

}  // namespace synthoscope::kernels
