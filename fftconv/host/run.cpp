// SPDX-License-Identifier: MIT
#include "fftconv/host/run.hpp"
#include <algorithm>
#include <array>
#include "core/base/stopwatch.hpp"
#include "core/vector/vector_level.hpp"
#include "fftconv/host/stages/columns.hpp"
#include "fftconv/host/stages/planes_back.hpp"
#include "fftconv/host/stages/planes_forward.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/planes/finish.hpp"
#include "fftconv/planes/mean_removal.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::fftconv {
namespace {

/// All buffers of a run, taken before the first voxel is read.
template <class Real>
struct Buffers {
  Buffers(const Layout& layout, const Plan& plan, const WorkAxes& axes, const Sink& sink,
          int threads, MemoryBudget& memory)
      : ring{memory, layout.ring_planes * layout.plane_reals, "image spectra"},
        kernel{memory, layout.kernel_planes * layout.plane_reals, "kernel spectra"},
        result{memory, layout.result_planes * layout.plane_reals, "result spectra"},
        transfer{memory, layout.transfer_reals, "transfer function"},
        scratch{make_scratch<Real>(layout, plan.work, threads, memory)},
        waiting{memory, waiting_bytes(layout, axes, threads, sink),
                "planes waiting to be written"} {}
  HostBuffer<Real> ring, kernel, result, transfer;
  std::vector<Scratch<Real>> scratch;
  HostBuffer<std::byte> waiting;
};

template <class Real>
class HostRun {
 public:
  HostRun(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
          const RunContext& context)
      : plan_{plan},
        terms_{terms},
        axes_{plan},
        layout_{make_layout(plan.work, plan.transform, plan.cut)},
        transforms_{layout_, plan.cut.fft},
        pool_{affordable_threads(context, plan.memory_bytes(),
                                 scratch_sizes(layout_, plan.work).total() +
                                     waiting_bytes(layout_, axes_, 2, sink) -
                                     waiting_bytes(layout_, axes_, 1, sink))},
        context_{pool_,       context.memory, context.progress,
                 context.log, context.stop,   context.checkpoint},
        buffers_{layout_, plan, axes_, sink, pool_.threads(), context.memory},
        workers_{buffers_.scratch} {
    output_.epilogue = &epilogue;
    output_.sink = &sink;
    output_.waiting = buffers_.waiting.data();
  }

  RunReport run() {
    watch_.lap("prepare");
    const auto tiles = tiles_of(plan_.work, plan_.cut);
    const auto turns = ring_turns_of(layout_);
    const auto all = static_cast<std::int64_t>(tiles.size() * turns.size());
    const auto steps = turn_steps(steps_to_do(context_, all), turns);
    if (!steps.empty()) {
      take_mean_out();
      if (all == 1)
        run_at_once(turns.front());
      else
        run_in_turns(steps, tiles, turns);
    }
    report_.instruction_set = transforms_.functions->instruction_set;
    report_.fft = version_of(plan_.cut.fft);
    report_.seconds = watch_.total();
    report_.peak_memory_bytes = context_.memory.peak();
    return report_;
  }

 private:
  void take_mean_out() {
    if (!plan_.work.remove_mean) return;
    mean_ = prepare_mean_removal(terms_.front(), plan_.work, axes_, context_);
    output_.mean = mean_.mean;
    output_.response = mean_.response.get();
    watch_.lap("mean");
  }

  /// In-core: transforms and convolves every term, then transforms their sum back.
  void run_at_once(const RingTurn& turn) {
    Real* const result = result_spectra();
    const bool sums = terms_.size() > 1;
    if (sums) std::fill_n(result, buffers_.result.count(), Real{0});
    for (const Term& term : terms_) {
      context_.progress.begin("transform planes", layout_.z.loaded + layout_.kernel_planes);
      load_kernel(layout_, term, context_);
      watch_.lap("kernel planes");
      load_image(layout_, image_input(layout_, axes_, term, output_.mean), turn.load, context_);
      watch_.lap("image planes");
      context_.progress.begin("convolve columns",
                              layout_.column_reals / (2 * transforms_.functions->lanes));
      convolve_columns<Real>(layout_, turn, transforms_, workers_, kernel_columns(),
                             {buffers_.ring.data(), result, sums}, context_);
      watch_.lap("columns");
    }
    context_.progress.begin("store planes", turn.result.count);
    store_planes<Real>(output_, {turn.result}, layout_, axes_, transforms_, workers_, result,
                       context_);
    watch_.lap("planes back");
    finish_step(context_, 0);
  }

  /// Tile by tile, a ring of planes moves along z; the kernel is transformed once for all. A turn
  /// of a tile is a step of the checkpoint.
  void run_in_turns(const std::vector<TurnStep>& steps, const std::vector<Tile>& tiles,
                    const std::vector<RingTurn>& turns) {
    NoProgress silent;
    const RunContext quiet{pool_, context_.memory, silent, context_.log, context_.stop};
    context_.progress.begin("convolve", planes_of(steps, turns));
    load_kernel(layout_, terms_.front(), quiet);
    watch_.lap("kernel planes");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const TurnStep& step = steps[i];
      const Tile& tile = tiles[step.tile];
      const RingTurn& turn = turns[step.turn];
      const Layout at = layout_of_tile(layout_, plan_.work, plan_.cut, tile);
      load_image(at, image_of(tile), step.load, quiet);
      if (i + 1 < steps.size()) expect_load(image_of(tiles[steps[i + 1].tile]), steps[i + 1].load);
      convolve_columns<Real>(at, turn, transforms_, workers_, kernel_columns(),
                             {buffers_.ring.data(), result_spectra(), false}, quiet);
      store_planes<Real>(output_, {turn.result, tile.y, tile.x}, at, axes_, transforms_, workers_,
                         result_spectra(), quiet);
      context_.progress.advance(turn.result.count);
      finish_step(context_, step.number);
    }
    watch_.lap("tiles and turns");
  }

  [[nodiscard]] PlaneInput image_of(const Tile& tile) const {
    return image_input(layout_of_tile(layout_, plan_.work, plan_.cut, tile), axes_, terms_.front(),
                       output_.mean);
  }

  /// The disk brings in what the next turn reads while this one is computed.
  void expect_load(const PlaneInput& image, const Interval& next) {
    expect_planes(image, {next.first, next.count}, axes_, pool_);
  }

  void load_kernel(const Layout& layout, const Term& term, const RunContext& context) {
    transform_planes<Real>(kernel_input(layout, term.kernel),
                           {0, layout.kernel_planes, layout.kernel_planes}, layout, axes_,
                           transforms_, workers_, buffers_.kernel.data(), context);
    if (layout.transfer_reals > 0)
      transform_kernel<Real>(layout, transforms_, workers_, buffers_.kernel.data(),
                             buffers_.transfer.data(), context);
  }

  void load_image(const Layout& layout, const PlaneInput& image, const Interval& positions,
                  const RunContext& context) {
    transform_planes<Real>(image, {positions.first, positions.count, layout.ring_planes}, layout,
                           axes_, transforms_, workers_, buffers_.ring.data(), context);
  }

  /// Separate memory for the results, or the ring's if all results of a tile come in one turn.
  [[nodiscard]] Real* result_spectra() const {
    return layout_.result_planes > 0 ? buffers_.result.data() : buffers_.ring.data();
  }

  [[nodiscard]] KernelColumns<Real> kernel_columns() const {
    return {buffers_.kernel.data(),
            layout_.transfer_reals > 0 ? buffers_.transfer.data() : nullptr};
  }

  RunReport report_;
  Stopwatch watch_{report_.stages};
  const Plan& plan_;
  std::span<const Term> terms_;
  WorkAxes axes_;
  Layout layout_;
  Transforms<Real> transforms_;
  TaskPool pool_;
  RunContext context_;
  Buffers<Real> buffers_;
  std::span<Scratch<Real>> workers_;
  PlaneOutput output_;
  MeanRemoval mean_;
};

}  // namespace

template <class Real>
RunReport run_on_host(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                      const RunContext& context) {
  return HostRun<Real>{plan, terms, epilogue, sink, context}.run();
}

template RunReport run_on_host<float>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                      const RunContext&);
template RunReport run_on_host<double>(const Plan&, std::span<const Term>, Epilogue&, Sink&,
                                       const RunContext&);

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
