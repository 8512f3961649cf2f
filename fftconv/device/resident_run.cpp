// SPDX-License-Identifier: MIT
// Convolves volumes in the memory of a device, without copies.
#include <fmt/format.h>
#include <array>
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "fftconv/device/resident_convolution.hpp"
#include "fftconv/device/run.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"

namespace synthoscope::fftconv::device {
namespace {

bool is_cut(const Plan& plan) {
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  return tiles_of(plan.work, plan.cut).size() * ring_turns_of(layout).size() > 1;
}

bool takes_whole_planes(const PlaneInput& input, const Extent3& planes) {
  const SourceRange y = range_of(input.y_runs), x = range_of(input.x_runs);
  return y.begin == 0 && y.end == planes.y && x.begin == 0 && x.end == planes.x;
}

bool takes_whole_planes(const Plan& plan, const Term& term) {
  const Layout layout = layout_of_tile(make_layout(plan.work, plan.transform, plan.cut), plan.work,
                                       plan.cut, tiles_of(plan.work, plan.cut).front());
  return takes_whole_planes(image_input(layout, WorkAxes{plan}, term, 0), plan.work.image) &&
         takes_whole_planes(kernel_input(layout, term.kernel), plan.work.kernel);
}

/// Whether all voxels of a source or of a sink lie in the memory of the device.
template <class Stream>
bool lies_on(cuda::DeviceId device, const Stream& stream) {
  return stream.device_of(whole(stream.extent())) == device;
}

const std::byte* voxels_of(const Source& source) {
  return source.device_readable()->data();
}

/// One run: the kernel's memory is taken for the result.
class ResidentRun {
 public:
  ResidentRun(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
              const Term& term, PixelType stored)
      : term_{term},
        convolution_{device, device_memory, plan, term, stored},
        counts_{device.id, device_memory, kCounts, "counts of voxels"},
        stream_{device.id} {}

  void prepare(TaskPool& pool) { convolution_.prepare(stream_, pool); }

  StoredCounts run(std::byte* result) {
    convolution_.take_kernel(stream_, voxels_of(*term_.kernel.voxels));
    cuda::enqueue_zeros(stream_, counts_.data(), counts_.bytes());
    convolution_.run(stream_, voxels_of(*term_.image), result, counts_.data());
    std::array<unsigned long long, kCounts> counts{};
    cuda::enqueue_copy(stream_, counts.data(), counts_.data(), counts_.bytes());
    stream_.finish();
    return {static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
  }

  /// After a failure.
  void drain() const noexcept { stream_.drain(); }

 private:
  const Term& term_;
  ResidentConvolution convolution_;
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
         lies_on(device, *term.image) && lies_on(device, *term.kernel.voxels) &&
         lies_on(device, sink) && takes_whole_planes(plan, term);
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
