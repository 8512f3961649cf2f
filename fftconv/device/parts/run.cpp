// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/run.hpp"
#include <fmt/format.h>
#include "core/base/stopwatch.hpp"
#include "fftconv/device/parts/folded_by_host.hpp"
#include "fftconv/device/parts/share.hpp"
#include "fftconv/host/stages/scratch.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Image and kernel go up once, the result comes down once; parts come and go in between.
void run_parts_folded_by_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                                const PartsWork& work, Stopwatch& watch,
                                const RunContext& context) {
  PartsShare share{device, device_memory, work, {}, context};
  PartsShare* const all[] = {&share};
  watch.lap("prepare");
  try {
    share.load(all);
    watch.lap("load");
    context.progress.begin(kConvolveParts, work.parts.decimation.parts);
    share.convolve(all);
    watch.lap("parts");
    share.unfold();
    watch.lap("unfold");
    context.progress.begin(kStorePlanes, work.parts.result.z);
    share.store();
    watch.lap("store");
  } catch (...) {
    // Copies may be on their way from and to memory that goes
    share.drain();
    throw;
  }
}

}  // namespace

RunReport run_parts_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                              const std::filesystem::path& scratch_folder,
                              const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  const PartsLayout parts =
      make_parts_layout(plan.work, plan.transform, plan.cut, block_limits(device));
  TaskPool pool{affordable_threads(context, plan.memory_bytes(), thread_bytes_of(parts))};
  const RunContext own{pool, context.memory, context.progress, context.log, context.stop};
  const PartsWork work = make_parts_work(plan, parts, term, epilogue, sink, own);
  watch.lap("mean");
  if (parts.device_folds)
    run_parts_folded_by_device(device, device_memory, work, watch, own);
  else
    run_parts_folded_by_host(device, device_memory, work, scratch_folder, watch, own);
  watch.lap("give back");
  report.instruction_set = fmt::format("sm_{}", device.capability);
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv::device
