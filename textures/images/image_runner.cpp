// SPDX-License-Identifier: MIT
#include "textures/images/image_runner.hpp"
#include "kernels/operation/bricks.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::textures {

void HostRunner::run(kernels::Operation& operation, Source& source, Sink& sink, double,
                     const RunContext& context) {
  const std::int64_t used = context.memory.used();
  const kernels::BrickPlan plan =
      kernels::plan_bricks(operation, source.extent(), source.pixel_type(), BoxOrder::any,
                           {context.memory.limit() - used, used}, context.pool.threads());
  Sink* const sinks[] = {&sink};
  kernels::run_bricks(plan, operation, source, sinks, context);
}

}  // namespace synthoscope::textures
