// SPDX-License-Identifier: MIT
#include "fftconv/host_executor.hpp"
#include <fmt/format.h>
#include <chrono>
#include "core/memory_stream.hpp"
#include "fftconv/box_sums.hpp"
#include "fftconv/columns.hpp"
#include "fftconv/planes_back.hpp"
#include "fftconv/planes_forward.hpp"

namespace synthoscope::fftconv {
namespace {

/// Remembers how long each stage took.
class Stopwatch {
 public:
  explicit Stopwatch(RunReport& report) : report_{report} {}
  void lap(std::string stage) {
    const auto now = Clock::now();
    report_.stages.emplace_back(std::move(stage), seconds(last_, now));
    report_.seconds = seconds(start_, now);
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }
  RunReport& report_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

void require_matching(const Plan& plan, std::span<const Term> terms, const Epilogue& epilogue,
                      const Sink& sink) {
  const Problem& p = plan.problem;
  if (plan.strategy != Strategy::in_core)
    throw PlanError(
        fmt::format("run the plan: strategy {} is not part of this version; make the "
                    "plan again with auto or in-core",
                    name_of(plan.strategy)));
  if (static_cast<std::int64_t>(terms.size()) != p.terms)
    throw PlanError(
        fmt::format("run the plan: it is for {} terms, {} were given; make the plan "
                    "again",
                    p.terms, terms.size()));
  for (const Term& term : terms)
    if (!(term.image->extent() == p.image && term.kernel.voxels->extent() == p.kernel))
      throw PlanError(fmt::format(
          "run the plan: it is for an image of {} and a kernel of {}, but they have {} and {}; "
          "make the plan again",
          p.image, p.kernel, term.image->extent(), term.kernel.voxels->extent()));
  for (const Term& term : terms)
    if (const auto weights = static_cast<std::int64_t>(term.weight_z.size());
        weights > 0 && (weights != p.image.z || p.remove_mean))
      throw PlanError(fmt::format(
          "run the plan: a term has {} weights along z for {} planes{}; give one per plane and "
          "leave the mean in, or none",
          weights, p.image.z, p.remove_mean ? " with the image mean taken out" : ""));
  const StreamFormat format = epilogue.format(output_extent(p));
  SYNTHOSCOPE_ASSERT(format.extent, ==, sink.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(sink.pixel_type()));
}

/// Mean of up to 16 planes spread over the image, to single precision: any constant would do,
/// because it is put back exactly.
double sampled_mean(Source& image) {
  const Extent3 e = image.extent();
  const std::int64_t step = std::max<std::int64_t>(1, e.z / 16);
  double sum = 0;
  std::int64_t count = 0;
  visit_pixel_type(image.pixel_type(), [&](auto zero) {
    Volume<decltype(zero)> one{{1, e.y, e.x}};
    for (std::int64_t z = step / 2; z < e.z; z += step) {
      image.read(plane(e, z), VoxelView{one.view()});
      for (const auto v : one.voxels) sum += static_cast<double>(v);
      count += volume(one.extent);
    }
  });
  return static_cast<float>(sum / static_cast<double>(count));
}

/// One run in one precision: describe the memory, take it, then planes, columns, planes.
template <class Real>
RunReport run_in_core(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                      const RunContext& context) {
  RunReport report;
  Stopwatch watch{report};
  const WorkAxes axes{plan};
  const Layout layout = make_layout(plan.work, plan.transform);
  const Transforms<Real> transforms{layout, *available_lane_kernels<Real>().front()};
  report.instruction_set = transforms.kernels->instruction_set;

  // Take all memory before the first voxel is read
  const auto spectra = [&](std::int64_t planes, const char* what) {
    return HostBuffer<Real>{context.memory, planes * layout.plane_reals, what};
  };
  const auto image = spectra(layout.image_planes, "image spectra");
  const auto kernel = spectra(layout.kernel_planes, "kernel spectra");
  const auto sum = spectra(layout.result_planes, "result spectra");
  auto scratch = make_scratch<Real>(layout, plan.work, context.pool.threads(), context.memory);
  const std::span<Scratch<Real>> workers{scratch};
  const HostBuffer<std::byte> waiting{context.memory,
                                      waiting_bytes(layout, axes, context.pool.threads(), sink),
                                      "planes waiting to be written"};
  std::fill_n(sum.data(), sum.count(), Real{0});
  watch.lap("prepare");

  // With one term the result takes the image's place; several are summed as spectra
  PlaneOutput output{&epilogue, &sink};
  output.waiting = waiting.data();
  std::unique_ptr<BoxSums> response;
  Real* const result = plan.work.terms == 1 ? nullptr : sum.data();
  for (const Term& term : terms) {
    if (plan.work.remove_mean) {
      response = std::make_unique<BoxSums>(term.kernel, layout, axes, context.memory);
      output.mean = sampled_mean(*term.image);
      output.response = response.get();
      watch.lap("mean");
    }
    context.progress.begin("transform planes", layout.z.loaded + layout.kernel_planes);
    transform_planes(kernel_input(layout, term.kernel), layout, axes, transforms, workers,
                     kernel.data(), context);
    watch.lap("kernel planes");
    transform_planes(image_input(layout, axes, term, output.mean), layout, axes, transforms,
                     workers, image.data(), context);
    watch.lap("image planes");
    context.progress.begin("convolve columns",
                           layout.column_reals / (2 * transforms.kernels->lanes));
    convolve_columns(layout, transforms, workers, image.data(), kernel.data(), result, context);
    watch.lap("columns");
  }
  context.progress.begin("store planes", layout.z.wanted);
  store_planes(output, layout, axes, transforms, workers, result ? result : image.data(), context);
  watch.lap("planes back");
  report.peak_memory_bytes = context.memory.peak();
  return report;
}

class HostExecutor final : public Executor {
 public:
  explicit HostExecutor(std::int64_t host_bytes) : machine_{host_bytes} {}
  [[nodiscard]] Machine machine() const override { return machine_; }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    require_matching(plan, terms, epilogue, sink);
    return plan.problem.precision == Precision::float32
               ? run_in_core<float>(plan, terms, epilogue, sink, context)
               : run_in_core<double>(plan, terms, epilogue, sink, context);
  }

 private:
  Machine machine_;
};

}  // namespace

std::unique_ptr<Executor> make_host_executor(std::int64_t host_bytes) {
  return std::make_unique<HostExecutor>(host_bytes);
}

}  // namespace synthoscope::fftconv
