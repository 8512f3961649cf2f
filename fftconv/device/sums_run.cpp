// SPDX-License-Identifier: MIT
// Sums brick by brick, for kernels that are small or separable.
#include <fmt/format.h>
#include <array>
#include "core/base/stopwatch.hpp"
#include "fftconv/device/run.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/sums.hpp"
#include "fftconv/planes/finish.hpp"
#include "kernels/device/bricks/device_bricks.hpp"

namespace synthoscope::fftconv::device {

RunReport run_sums_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                             const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                             const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  const Problem& p = plan.problem;
  const auto operation = make_sums(p, plan.strategy, weights_of(term.kernel, context.stop));
  const Extent3& brick = plan.cut.result;
  const std::int64_t thread_bytes = gpu_sums_thread_bytes(p, brick);
  TaskPool pool{affordable_threads(context, plan.memory_bytes(), thread_bytes)};
  const RunContext own{pool,        context.memory, context.progress,
                       context.log, context.stop,   context.checkpoint};
  const auto bricks =
      kernels::device::cut_on_device(*operation, size_of(term.image->pixel_type()), brick);
  const auto held = context.memory.reserve(pool.threads() * thread_bytes, "planes of results");
  FinishingSink finishing{epilogue,          sink,          operation->extent(), p.precision,
                          brick.y * brick.x, pool.threads()};
  watch.lap("prepare");
  const std::array<Sink*, 1> sinks{&finishing};
  kernels::device::run_bricks_on_device(bricks, *operation, *term.image, sinks, device,
                                        device_memory, own);
  watch.lap("sums");
  report.instruction_set = fmt::format("sm_{}", device.capability);
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv::device
