// SPDX-License-Identifier: MIT
#include "fftconv/host/sums_run.hpp"
#include <array>
#include "core/base/stopwatch.hpp"
#include "core/vector/vector_level.hpp"
#include "fftconv/host/stages/scratch.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/planes/finishing_sink.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::fftconv {

RunReport run_sums(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                   const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  const Problem& p = plan.problem;
  const auto operation = make_sums(p, plan.strategy, weights_of(term.kernel, context.stop));
  const Extent3& brick = plan.cut.result;
  TaskPool pool{
      affordable_threads(context, plan.memory_bytes(), operation->working_bytes(brick, 1))};
  const RunContext own{pool,        context.memory, context.progress,
                       context.log, context.stop,   context.checkpoint};
  const auto bricks =
      kernels::cut_into(*operation, size_of(term.image->pixel_type()), brick, pool.threads());
  FinishingSink finishing{epilogue,          sink,          operation->extent(), p.precision,
                          brick.y * brick.x, pool.threads()};
  watch.lap("prepare");
  const std::array<Sink*, 1> sinks{&finishing};
  kernels::run_bricks(bricks, *operation, *term.image, sinks, own);
  watch.lap("sums");
  report.instruction_set = name_of(vector_level());
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv
