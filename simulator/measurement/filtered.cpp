// SPDX-License-Identifier: MIT
#include "simulator/measurement/filtered.hpp"
#include "kernels/operation/bricks.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::simulator {

Volume<float> filtered(const Volume<float>& image, kernels::Operation& operation,
                       const RunContext& context) {
  const std::int64_t used = context.memory.used();
  const kernels::BrickPlan plan =
      kernels::plan_bricks(operation, image.extent, PixelType::float32, BoxOrder::any,
                           {context.memory.limit() - used, used}, context.pool.threads());
  Volume<float> result{image.extent};
  MemorySource source{image.view()};
  MemorySink sink{result.view()};
  Sink* const sinks[] = {&sink};
  kernels::run_bricks(plan, operation, source, sinks, context);
  return result;
}

}  // namespace synthoscope::simulator
