// SPDX-License-Identifier: MIT
#include "fftconv/device/run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include "core/base/stopwatch.hpp"
#include "core/run/overlap.hpp"
#include "fftconv/device/link/plane_copies.hpp"
#include "fftconv/device/link/results.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Batches of all steps that are still to be done.
class DeviceRun final : BatchWork {
 public:
  DeviceRun(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
            std::span<const Term> terms, Epilogue& epilogue, Sink& sink, const RunContext& context,
            Timeline* timeline)
      : instruction_set_{fmt::format("sm_{}", device.capability)},
        plan_{plan},
        terms_{terms},
        context_{context},
        timeline_{timeline},
        axes_{plan},
        layout_{make_layout(plan.work, plan.transform, plan.cut)},
        sizes_{make_device_layout(plan.work, plan.transform, plan.cut, block_limits(device))},
        compute_{device.id},
        results_{device,         plan,    sizes_.batch_planes * sizes_.store_voxels,
                 epilogue,       sink,    device_memory,
                 context.memory, timeline},
        spectra_{device, device_memory,    layout_,
                 sizes_, terms.size() > 1, results_.computed_type()} {
    for (const Term& term : terms)
      inputs_.push_back(spectra_.describe(kernel_input(layout_, term.kernel)));
    for (const Term& term : terms)
      for (const Tile& tile : tiles_)
        inputs_.push_back(spectra_.describe(
            image_input(layout_of_tile(layout_, plan.work, plan.cut, tile), axes_, term, 0)));
    for (const Loading& loading : inputs_)
      if (Source* const source = loading.input.source; !makers_.contains(source))
        makers_[source] = source->make_on_device();
    for (const RingTurn& turn : turns_) turn_tables_.push_back(spectra_.describe(turn));
    make_link(device, device_memory);
    prepare({device, device_memory, context.pool});
  }

  RunReport run() {
    watch_.lap("prepare");
    doing_ = turn_steps(
        steps_to_do(context_, static_cast<std::int64_t>(tiles_.size() * turns_.size())), turns_);
    if (!doing_.empty()) {
      take_mean_out();
      convolve();
    }
    report_.instruction_set = instruction_set_;
    report_.fft = version_of(plan_.cut.fft);
    report_.seconds = watch_.total();
    report_.peak_memory_bytes = context_.memory.peak();
    return report_;
  }

 private:
  [[nodiscard]] bool is_kernel(std::size_t input) const { return input < terms_.size(); }

  void make_link(const cuda::DeviceInfo& device, MemoryBudget& device_memory) {
    std::int64_t staged = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const PlaneInput& input = inputs_[i].input;
      if (makers_.at(input.source) || input.source->device_readable())
        continue;  // no host copies these
      const std::int64_t planes =
          std::min(static_cast<std::int64_t>(input.plane_source.size()),
                   is_kernel(i) ? kernel_batch_planes(sizes_) : sizes_.batch_planes);
      staged = std::max(staged, planes * source_box(i, {}).plane_bytes());
    }
    link_.emplace(device.id, sizes_.batch_planes * sizes_.load_bytes, staged, device_memory,
                  context_.memory, timeline_);
  }

  void prepare(const cuda::DeviceContext& gpu) {
    spectra_.prepare(compute_, context_.pool);
    results_.prepare(gpu, compute_);
    for (const auto& [source, maker] : makers_)
      if (maker) maker->prepare(gpu, compute_);
  }

  void take_mean_out() {
    if (!plan_.work.remove_mean) return;
    mean_ = prepare_mean_removal(terms_.front(), plan_.work, axes_, context_);
    // The device takes it out in single precision: what it takes out is what is put back
    mean_.mean = static_cast<float>(mean_.mean);
    results_.restore(mean_.mean, mean_.response.get());
    for (std::size_t i = terms_.size(); i < inputs_.size(); ++i)
      inputs_[i].input.background = mean_.mean;
    watch_.lap("mean");
  }

  void convolve() {
    const auto steps = at_once_ ? steps_of_terms() : steps_of_turns();
    if (at_once_) {
      context_.progress.begin("transform planes", static_cast<std::int64_t>(terms_.size()) *
                                                      (layout_.z.loaded + layout_.kernel_planes));
      if (terms_.size() > 1) spectra_.clear_result(compute_);
    } else {
      context_.progress.begin("convolve", planes_of(doing_, turns_));
    }
    try {
      run_overlapped(steps, kBatches, sizes_.result_planes == 0, *this);
      for (const auto& [source, maker] : makers_)
        if (maker) maker->finish(compute_);
      results_.finish(compute_);
    } catch (...) {
      // Copies may be on their way from and to memory that goes
      link_->drain();
      compute_.drain();
      results_.drain();
      throw;
    }
    watch_.lap(at_once_ ? "planes back" : "tiles and turns");
  }

  [[nodiscard]] std::vector<PipelineStep> steps_of_terms() const {
    std::vector<PipelineStep> steps(terms_.size());
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      add_kernel(steps[i], i);
      add_image(steps[i], terms_.size() + i, turns_.front().load);
    }
    add_results(steps.back(), 0, turns_.front().result);
    return steps;
  }

  /// Tile by tile, a ring of planes moves along z; the kernel is transformed once for all.
  [[nodiscard]] std::vector<PipelineStep> steps_of_turns() const {
    std::vector<PipelineStep> steps;
    for (const TurnStep& doing : doing_) {
      PipelineStep& step = steps.emplace_back();
      if (steps.size() == 1) add_kernel(step, 0);
      add_image(step, 1 + doing.tile, doing.load);
      add_results(step, doing.tile, turns_[doing.turn].result);
    }
    return steps;
  }

  void add_kernel(PipelineStep& step, std::size_t input) const {
    const std::int64_t together = kernel_batch_planes(sizes_);
    add_batches(step.inputs, input, {0, layout_.kernel_planes},
                [&](std::int64_t, std::int64_t n) { return std::min(n, together); });
  }
  /// Planes that are read or written where they lie need no slot. As many as possible are
  /// transformed at once: a launch of a few planes leaves multiprocessors idle at its end.
  template <class InPlace>
  [[nodiscard]] std::int64_t planes_at_once(std::int64_t most, InPlace&& in_place) const {
    for (std::int64_t count = std::min(most, kMaxBatchPlanes); count > sizes_.batch_planes;
         count /= 2)
      if (in_place(count)) return count;
    return std::min(most, sizes_.batch_planes);
  }
  void add_image(PipelineStep& step, std::size_t input, const Interval& planes) const {
    add_batches(step.inputs, input, planes, [&](std::int64_t p, std::int64_t n) {
      return planes_at_once(spectra_.together(p, n), [&](std::int64_t count) {
        return link_->in_place(source_box(input, {p, count}), axes_) != nullptr;
      });
    });
  }
  void add_results(PipelineStep& step, std::size_t tile, const Interval& planes) const {
    add_batches(step.outputs, tile, planes, [&](std::int64_t p, std::int64_t n) {
      return planes_at_once(n, [&](std::int64_t count) {
        return results_.goes_in_place(result_box({tile, {p, count}}));
      });
    });
  }

  [[nodiscard]] SourceBox source_box(std::size_t input, const Interval& planes) const {
    const Loading& l = inputs_[input];
    return {l.input,
            planes,
            l.y.begin,
            l.y.count,
            l.x.begin,
            l.x.count,
            makers_.at(l.input.source).get()};
  }
  [[nodiscard]] Box3 result_box(const Batch& batch) const {
    const Tile& tile = tiles_[batch.of];
    const Layout at = layout_of_tile(layout_, plan_.work, plan_.cut, tile);
    return {{batch.planes.first, tile.y, tile.x}, {batch.planes.count, at.y.wanted, at.x.wanted}};
  }

  void load(const Batch& batch, int slot) override {
    context_.stop.check();
    link_->load(slot, source_box(batch.of, batch.planes), axes_, context_.pool);
  }

  void receive(const Batch&, int slot) override { link_->receive(slot); }

  void take(const Batch& batch, int slot) override {
    context_.stop.check();
    const Loading& loading = inputs_[batch.of];
    const SourceBox box = source_box(batch.of, batch.planes);
    const std::byte* const placed = link_->in_place(box, axes_);
    const std::byte* const voxels = placed ? placed : link_->voxels(slot);
    if (box.maker) make(box, link_->voxels(slot));
    const Noted noted{timeline_, "take", slot, compute_};
    if (is_kernel(batch.of)) {
      spectra_.take_kernel(compute_, loading, voxels, batch.planes);
      kernel_came_ = true;
    } else {
      spectra_.take_image(compute_, loading, voxels, batch.planes);
    }
    link_->taken(slot, compute_);
    if (at_once_) context_.progress.advance(batch.planes.count);
  }

  /// Planes that follow each other in the source are made at once.
  void make(const SourceBox& box, std::byte* voxels) {
    const auto plane = [&](std::int64_t i) {
      return box.input.plane_source[static_cast<std::size_t>(box.planes.first + i)];
    };
    for (std::int64_t first = 0, next = 0; first < box.planes.count; first = next) {
      for (next = first + 1; next < box.planes.count && plane(next) == plane(next - 1) + 1;) ++next;
      box.maker->enqueue_read(compute_,
                              axes_.to_volume(Box3{{plane(first), box.y, box.x},
                                                   {next - first, box.rows, box.columns}}),
                              voxels + first * box.plane_bytes());
    }
  }

  void compute(std::size_t step) override {
    if (at_once_) lap("planes");
    if (kernel_came_) spectra_.finish_kernel(compute_);
    kernel_came_ = false;
    {
      const Noted noted{timeline_, "columns", 0, compute_};
      spectra_.convolve(compute_, turn_tables_[at_once_ ? 0 : doing_[step].turn]);
    }
    if (!at_once_) return;
    lap("columns");
    if (step + 1 == terms_.size())
      context_.progress.begin("store planes", turns_.front().result.count);
  }

  void lap(const char* stage) {
    compute_.finish();
    watch_.lap(stage);
  }

  void give(const Batch& batch, int slot) override {
    context_.stop.check();
    const Interval of_turn{batch.planes.first % layout_.turn_planes, batch.planes.count};
    results_.give(slot, compute_, spectra_, of_turn, result_box(batch));
  }

  void store(const Batch& batch, int slot) override {
    context_.stop.check();
    results_.store(slot, result_box(batch), context_);
  }

  void finish(std::size_t step) override {
    if (!at_once_)
      finish_step(context_, doing_[step].number);
    else if (step + 1 == terms_.size())
      finish_step(context_, 0);
  }

  RunReport report_;
  std::string instruction_set_;
  Stopwatch watch_{report_.stages};
  const Plan& plan_;
  std::span<const Term> terms_;
  const RunContext& context_;
  Timeline* timeline_;
  WorkAxes axes_;
  Layout layout_;
  DeviceLayout sizes_;
  cuda::Stream compute_;
  Results results_;
  Spectra spectra_;
  std::optional<LinkUp> link_;
  std::vector<Tile> tiles_{tiles_of(plan_.work, plan_.cut)};
  std::map<Source*, std::unique_ptr<cuda::DeviceSource>> makers_;  ///< null: it travels
  std::vector<Loading> inputs_;  ///< the terms' kernels, then every term's tiles: one has several
  std::vector<RingTurn> turns_{ring_turns_of(layout_)};
  std::vector<RingTurnTables> turn_tables_;           ///< the same, as arguments of the device
  bool at_once_{tiles_.size() * turns_.size() == 1};  ///< nothing is cut; may have several terms
  std::vector<TurnStep> doing_;                       ///< each is a step of the checkpoint
  MeanRemoval mean_;
  bool kernel_came_ = false;
};

}  // namespace

RunReport run_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                        const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context, Timeline* timeline) {
  return DeviceRun{device, device_memory, plan, terms, epilogue, sink, context, timeline}.run();
}

}  // namespace synthoscope::fftconv::device
