// SPDX-License-Identifier: MIT
// Convolves volumes in the memory of a device, without copies.
#include <fmt/format.h>
#include <array>
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/device/run.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Of a plan that cuts nothing.
Layout layout_of(const Plan& plan) {
  return layout_of_tile(make_layout(plan.work, plan.transform, plan.cut), plan.work, plan.cut,
                        tiles_of(plan.work, plan.cut).front());
}

bool is_cut(const Plan& plan) {
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  return tiles_of(plan.work, plan.cut).size() * ring_turns_of(layout).size() > 1;
}

bool takes_whole_planes(const PlaneInput& input, const Extent3& planes) {
  const SourceRange y = range_of(input.y_runs), x = range_of(input.x_runs);
  return y.begin == 0 && y.end == planes.y && x.begin == 0 && x.end == planes.x;
}

bool takes_whole_planes(const Plan& plan, const Term& term) {
  const Layout layout = layout_of(plan);
  return takes_whole_planes(image_input(layout, WorkAxes{plan}, term, 0), plan.work.image) &&
         takes_whole_planes(kernel_input(layout, term.kernel), plan.work.kernel);
}

class ResidentRun {
 public:
  ResidentRun(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
              const Term& term, PixelType stored)
      : layout_{layout_of(plan)},
        spectra_{
            device,  device_memory,
            layout_, make_device_layout(plan.work, plan.transform, plan.cut, block_limits(device)),
            false,   stored},
        kernel_{spectra_.describe(kernel_input(layout_, term.kernel))},
        image_{spectra_.describe(image_input(layout_, WorkAxes{plan}, term, 0))},
        turn_tables_{spectra_.describe(ring_turns_of(layout_).front())},
        counts_{device.id, device_memory, kCounts, "counts of voxels"},
        stream_{device.id} {}

  void prepare(TaskPool& pool) { spectra_.prepare(stream_, pool); }

  StoredCounts run(std::byte* result) {
    take(kernel_, [&](const std::byte* voxels, const Interval& planes) {
      spectra_.take_kernel(stream_, kernel_, voxels, planes);
    });
    take(image_, [&](const std::byte* voxels, const Interval& planes) {
      spectra_.take_image(stream_, image_, voxels, planes);
    });
    spectra_.finish_kernel(stream_);
    spectra_.convolve(stream_, turn_tables_);
    cuda::enqueue_zeros(stream_, counts_.data(), counts_.bytes());
    spectra_.give(stream_, {0, layout_.z.wanted}, layout_.y.wanted, layout_.x.wanted, result,
                  counts_.data());
    std::array<unsigned long long, kCounts> counts{};
    cuda::enqueue_copy(stream_, counts.data(), counts_.data(), counts_.bytes());
    stream_.finish();
    return {static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
  }

  /// After a failure.
  void drain() const noexcept { stream_.drain(); }

 private:
  /// Planes that follow each other in the source, at once.
  template <class Take>
  static void take(const Loading& loading, Take&& each) {
    const auto& planes = loading.input.plane_source;
    const auto source = *loading.input.source->device_readable();
    const std::int64_t plane_bytes = loading.y.count * loading.x.count * size_of(source.type());
    const auto count = static_cast<std::int64_t>(planes.size());
    const auto plane = [&](std::int64_t i) { return planes[static_cast<std::size_t>(i)]; };
    for (std::int64_t first = 0, next = 0; first < count; first = next) {
      for (next = first + 1; next < count && plane(next) == plane(next - 1) + 1;) ++next;
      each(source.data() + plane(first) * plane_bytes, Interval{first, next - first});
    }
  }

  Layout layout_;
  Spectra spectra_;
  Loading kernel_, image_;
  RingTurnTables turn_tables_;
  cuda::DeviceBuffer<unsigned long long> counts_;
  cuda::Stream stream_;
};

}  // namespace

bool is_resident(cuda::DeviceId device, const Plan& plan, std::span<const Term> terms,
                 Epilogue& epilogue, Sink& sink, const RunContext& context) {
  const Term& term = terms.front();
  return terms.size() == 1 && !context.checkpoint && !plan.work.remove_mean &&
         plan.strategy != Strategy::parts && !is_cut(plan) && epilogue.only_converts() &&
         size_of(sink.pixel_type()) <= std::int64_t{sizeof(float)} &&
         term.image->only_device() == device && term.kernel.voxels->only_device() == device &&
         sink.only_device() == device && takes_whole_planes(plan, term);
}

RunReport run_resident(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                       const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                       const RunContext& context) {
  RunReport report;
  Stopwatch watch{report.stages};
  ResidentRun run{device, device_memory, plan, term, sink.pixel_type()};
  try {
    run.prepare(context.pool);
    watch.lap("prepare");
    context.stop.check();
    context.progress.begin("convolve", 1);
    epilogue.count(run.run(sink.device_writable()->data()));
    context.progress.advance(1);
  } catch (...) {
    run.drain();
    throw;
  }
  watch.lap("convolve");
  report.instruction_set = fmt::format("sm_{}", device.capability);
  report.fft = version_of(plan.cut.fft);
  report.seconds = watch.total();
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

}  // namespace synthoscope::fftconv::device
