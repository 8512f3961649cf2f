// SPDX-License-Identifier: MIT
#include "kernels/run_bricks.hpp"
#include "core/host_buffer.hpp"
#include "kernels/brick_results.hpp"
#include "kernels/window_reader.hpp"

namespace synthoscope::kernels {

void run_bricks(const BrickPlan& plan, Operation& operation, Source& source,
                std::span<Sink* const> sinks, const RunContext& context) {
  const std::vector<PixelType> types = operation.types();
  require_sinks(sinks, operation);
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
    write_results(sinks, box, results, context.pool);
    context.progress.advance(volume(box.size));
    finish_steps(context, i + 1);
  }
}

}  // namespace synthoscope::kernels
