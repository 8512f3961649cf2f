// SPDX-License-Identifier: MIT
#include "fftconv/device/device_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/stopwatch.hpp"
#include "fftconv/device/link.hpp"
#include "fftconv/device/spectra.hpp"
#include "fftconv/mean_removal.hpp"

namespace synthoscope::fftconv::device {
namespace {

class DeviceRun {
 public:
  DeviceRun(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const Plan& plan,
            std::span<const Term> terms, Epilogue& epilogue, Sink& sink, const RunContext& context)
      : instruction_set_{fmt::format("sm_{}", device.capability)},
        plan_{plan},
        terms_{terms},
        context_{context},
        axes_{plan},
        layout_{make_layout(plan.work, plan.transform, plan.cut)},
        sizes_{make_device_layout(plan.work, plan.transform, plan.cut, block_limits(device))},
        compute_{device.id},
        link_{device, sizes_, device_memory, context.memory},
        spectra_{device, device_memory, layout_, sizes_, terms.size() > 1} {
    output_.epilogue = &epilogue;
    output_.sink = &sink;
    for (const Term& term : terms) {
      kernels_.push_back(spectra_.describe(kernel_input(layout_, term.kernel)));
      for (const Tile& tile : tiles_)
        images_.push_back(spectra_.describe(
            image_input(layout_of_tile(layout_, plan.work, plan.cut, tile), axes_, term, 0)));
    }
    for (const Turn& turn : turns_of(layout_)) turns_.push_back(spectra_.describe(turn));
    spectra_.prepare(compute_, context.pool);
  }

  RunReport run() {
    watch_.lap("prepare");
    const auto steps = static_cast<std::int64_t>(tiles_.size() * turns_.size());
    if (finished_steps(context_) < steps) {
      take_mean_out();
      if (steps == 1)
        run_at_once();
      else
        run_in_turns();
    }
    report_.instruction_set = instruction_set_;
    report_.seconds = watch_.total();
    report_.peak_memory_bytes = context_.memory.peak();
    return report_;
  }

 private:
  void take_mean_out() {
    if (!plan_.work.remove_mean) return;
    mean_ = prepare_mean_removal(terms_.front(), plan_.work, axes_, context_);
    // The device takes it out in single precision: what it takes out is what is put back
    mean_.mean = static_cast<float>(mean_.mean);
    output_.mean = mean_.mean;
    output_.response = mean_.response.get();
    for (Loading& image : images_) image.input.background = mean_.mean;
    watch_.lap("mean");
  }

  void run_at_once() {
    const Turning& turning = turns_.front();
    if (terms_.size() > 1) spectra_.clear_result(compute_);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      context_.progress.begin("transform planes", layout_.z.loaded + layout_.kernel_planes);
      load_kernel(kernels_[i], context_.progress);
      load_image(images_[i], turning.turn.load, context_.progress);
      compute_.finish();
      watch_.lap("planes");
      spectra_.convolve(compute_, turning);
      compute_.finish();
      watch_.lap("columns");
    }
    context_.progress.begin("store planes", turning.turn.result.count);
    store(turning.turn.result, tiles_.front());
    watch_.lap("planes back");
    finish_steps(context_, 1);
  }

  /// Tile by tile, a ring of planes moves along z; the kernel is transformed once for all. A turn
  /// of a tile is a step of the checkpoint.
  void run_in_turns() {
    NoProgress silent;
    context_.progress.begin("convolve",
                            static_cast<std::int64_t>(tiles_.size()) * layout_.z.wanted);
    load_kernel(kernels_.front(), silent);
    std::int64_t step = 0;
    const std::int64_t first = finished_steps(context_);
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      for (const Turning& turning : turns_) {
        if (step++ < first) {
          context_.progress.advance(turning.turn.result.count);
          continue;
        }
        // The ring of an earlier run is gone
        load_image(images_[i], step == first + 1 ? turning.turn.window : turning.turn.load, silent);
        spectra_.convolve(compute_, turning);
        store(turning.turn.result, tiles_[i]);
        finish_steps(context_, step);
      }
    watch_.lap("tiles and turns");
  }

  void load_kernel(const Loading& kernel, Progress& progress) {
    for (std::int64_t first = 0; first < layout_.kernel_planes;) {
      const Stretch planes{first, std::min(layout_.kernel_planes - first, sizes_.batch_planes)};
      spectra_.take_kernel(compute_, kernel, bring(kernel, planes), planes);
      taken(planes, progress);
      first = planes.end();
    }
    spectra_.finish_kernel(compute_);
  }

  void load_image(const Loading& image, const Stretch& positions, Progress& progress) {
    for (std::int64_t first = positions.first; first < positions.end();) {
      const Stretch planes{first, spectra_.together(first, positions.end() - first)};
      spectra_.take_image(compute_, image, bring(image, planes), planes);
      taken(planes, progress);
      first = planes.end();
    }
  }

  const std::byte* bring(const Loading& what, const Stretch& planes) {
    context_.stop.check();
    return link_.bring(compute_, what.input, planes,
                       {what.y.begin, what.y.count, what.x.begin, what.x.count}, axes_,
                       context_.pool);
  }
  void taken(const Stretch& planes, Progress& progress) {
    link_.taken(compute_);
    progress.advance(planes.count);
  }

  /// Result planes back in XY, down and out. A batch is finished on the host while the next one is
  /// computed.
  void store(const Stretch& planes, const Tile& tile) {
    const Layout at = layout_of_tile(layout_, plan_.work, plan_.cut, tile);
    const ResultBox box{planes.first, tile.y, tile.x, at.y.wanted, at.x.wanted};
    for (std::int64_t done = 0; done < planes.count;) {
      context_.stop.check();
      const Stretch batch{done, std::min(planes.count - done, sizes_.batch_planes)};
      spectra_.give(compute_, batch, box.rows, box.columns, link_.room_to_send(compute_));
      link_.send(compute_, box, batch, output_, axes_, context_);
      done = batch.end();
    }
    link_.finish_sending(output_, axes_, context_);
  }

  RunReport report_;
  std::string instruction_set_;
  Stopwatch watch_{report_.stages};
  const Plan& plan_;
  std::span<const Term> terms_;
  const RunContext& context_;
  WorkAxes axes_;
  Layout layout_;
  DeviceLayout sizes_;
  cuda::Stream compute_;
  Link link_;
  Spectra spectra_;
  std::vector<Tile> tiles_{tiles_of(plan_.work, plan_.cut)};
  std::vector<Loading> images_, kernels_;  ///< of every term, or of every tile of the only term
  std::vector<Turning> turns_;
  PlaneOutput output_;
  MeanRemoval mean_;
};

}  // namespace

RunReport run_on_device(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                        const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                        Sink& sink, const RunContext& context) {
  return DeviceRun{device, device_memory, plan, terms, epilogue, sink, context}.run();
}

}  // namespace synthoscope::fftconv::device
