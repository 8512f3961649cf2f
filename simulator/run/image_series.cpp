// SPDX-License-Identifier: MIT
#include "simulator/run/image_series.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include "core/run/hand_out.hpp"
#include "core/run/labelled_run.hpp"
#include "simulator/data_set/preview.hpp"

namespace synthoscope::simulator {
namespace {

class Series {
 public:
  Series(const SceneRun& run, const PlannedChannel& planned, Microscope& microscope,
         std::size_t index, bool shows)
      : run_{run},
        planned_{planned},
        microscope_{microscope},
        index_{index},
        shows_{shows},
        frames_{run.files.layout().frames()},
        taken_(static_cast<std::size_t>(frames_.count())) {}

  ImagingReport run(fftconv::Executor& blur, const RunContext& context) {
    const auto executors = blur.at_once(planned_.plan);
    const std::size_t lanes = lanes_for(executors.size(), context);
    if (lanes == 1)
      take_in_turn(*executors.front(), context);
    else
      take_at_once({executors.begin(), executors.begin() + static_cast<std::ptrdiff_t>(lanes)},
                   context);
    for (std::int64_t i = 0; i < frames_.count(); ++i)
      run_.objects.add_snr(frames_.first + i, index_, taken_[static_cast<std::size_t>(i)].snr);
    ImagingReport report = microscope_.report(taken_);
    report.median_snr = run_.objects.median_snr(index_);
    return report;
  }

 private:
  /// Returns the bytes, without its blur, of an image that is taken at the same time as another.
  [[nodiscard]] std::int64_t kept_bytes() const {
    return planned_.additional.objects + planned_.additional.imaging + planned_.additional.chunks;
  }
  [[nodiscard]] std::int64_t taken_bytes() const {
    return std::max(planned_.plan.memory_bytes(), planned_.additional.stages) +
           planned_.additional.recorded + planned_.additional.sums + planned_.additional.light;
  }

  [[nodiscard]] std::size_t lanes_for(std::size_t executors, const RunContext& context) const {
    const auto wanted = std::min<std::size_t>(executors, taken_.size());
    if (wanted < 2) return 1;
    const std::int64_t left = context.memory.limit() - context.memory.used() - taken_bytes();
    const auto more =
        static_cast<std::size_t>(std::max<std::int64_t>(0, left) / (kept_bytes() + taken_bytes()));
    if (1 + more < wanted)
      context.log.note(fmt::format("{} of {} devices make images: no more fit into --memory",
                                   1 + more, executors));
    return std::min(wanted, 1 + more);
  }

  void take_in_turn(fftconv::Executor& blur, const RunContext& context) {
    Microscope::Buffers buffers{microscope_, context};
    for (std::int64_t frame = frames_.first; frame <= frames_.last; ++frame) {
      LabelledProgress progress{context.progress, part_name(frame, run_.scene.frames)};
      const RunContext part = with_progress(progress, context);
      if (frames_.count() > 1) run_.placed.place(frame, part);
      take(frame, run_.placed.phantom(), blur, buffers, run_.watch, part);
    }
  }

  /// The resources of one of several executors.
  struct Lane {
    Lane(const SceneRun& run, Microscope& microscope, std::int64_t kept_bytes,
         std::int64_t most_bytes, int threads, const RunContext& whole)
        : memory{whole.memory, most_bytes},
          kept{memory.reserve(kept_bytes, "objects and sums of light")},
          pool{threads},
          context{pool, memory, silent, whole.log, whole.stop},
          placed{run.timelapse, watch},
          buffers{microscope, context} {}
    MemoryBudget memory;
    Reservation kept;
    TaskPool pool;
    NoProgress silent;
    RunContext context;
    Stages stages;
    Stopwatch watch{stages};
    PlacedFrame placed;
    Microscope::Buffers buffers;
  };

  void take_at_once(const std::vector<fftconv::Executor*>& executors, const RunContext& context) {
    const auto lanes = static_cast<int>(executors.size());
    run_.placed.clear();  // every lane places its own frames
    context.progress.begin(fmt::format("images on {} devices", lanes), frames_.count());
    const std::int64_t share =
        (context.memory.limit() - context.memory.used() - (lanes - 1) * kept_bytes()) / lanes;
    StopFlag stop{context.stop};  // if one fails, the others end
    const RunContext ended{context.pool, context.memory, context.progress, context.log, stop};
    std::deque<Lane> own;
    for (int i = 0; i < lanes; ++i) {
      const std::int64_t kept = i == 0 ? 0 : kept_bytes();  // the first lane's are counted already
      own.emplace_back(run_, microscope_, kept, kept + share,
                       std::max(1, context.pool.threads() / lanes), ended);
    }
    const auto take_frame = [&](std::size_t lane, std::int64_t item) {
      const std::int64_t frame = frames_.first + item;
      Lane& its = own[lane];
      its.placed.place(frame, its.context);
      take(frame, its.placed.phantom(), *executors[lane], its.buffers, its.watch, its.context);
      context.progress.advance(1);
    };
    hand_out(frames_.count(), executors.size(), take_frame, [&] { stop.request(); });
    run_.watch.lap("blur and record");
  }

  void take(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
            Microscope::Buffers& buffers, Stopwatch& watch, const RunContext& context) {
    const auto shifted = run_.timelapse.shifted_by_focus_drift(phantom, frame);
    const Phantom& seen = shifted ? *shifted : phantom;
    if (run_.files.layout().extras().light) microscope_.store_light(frame, seen, watch, context);
    taken_[static_cast<std::size_t>(frame - frames_.first)] =
        microscope_.take_image(frame, seen, blur, buffers, watch, context);
    taken_[static_cast<std::size_t>(frame - frames_.first)].snr =
        microscope_.object_snr(frame, run_.timelapse.labels_of(frame).labels, context);
    watch.lap("signal to noise");
    const bool is_shown =
        frames_.count() == 1 || (frame == frames_.first && !run_.timelapse.movie());
    if (is_shown && shows_) write_preview(run_.timelapse, phantom, frame, run_.files, context);
    watch.lap("preview");
  }

  const SceneRun& run_;
  const PlannedChannel& planned_;
  Microscope& microscope_;
  std::size_t index_;  ///< of the channel
  bool shows_;
  FrameRange frames_;
  std::vector<TakenImage> taken_;  ///< by frame
};

}  // namespace

ImagingReport take_images(const SceneRun& run, const PlannedChannel& planned,
                          Microscope& microscope, std::size_t index, bool shows,
                          fftconv::Executor& blur, const RunContext& context) {
  return Series{run, planned, microscope, index, shows}.run(blur, context);
}

ImagingReport take_recorded_image(const SceneRun& run, Microscope& microscope, std::size_t index,
                                  bool shows, const RunContext& context) {
  if (run.files.layout().extras().light) {
    const Phantom& phantom = run.placed.phantom();
    const auto shifted = run.timelapse.shifted_by_focus_drift(phantom, 0);
    microscope.store_light(0, shifted ? *shifted : phantom, run.watch, context);
  }
  run.files.adopt_stack("photons", 0, index);
  if (microscope.bins())
    microscope.record_photons(0, run.watch, context);
  else
    run.files.adopt_stack("image", 0, index);
  run.watch.lap("join");
  run.objects.add_snr(0, index,
                      microscope.object_snr(0, run.timelapse.labels_of(0).labels, context));
  run.watch.lap("signal to noise");
  if (shows) write_preview(run.timelapse, run.placed.phantom(), 0, run.files, context);
  run.watch.lap("preview");
  ImagingReport report = microscope.report({});
  report.energy.reset();  // no process saw all of the light
  report.median_snr = run.objects.median_snr(index);
  return report;
}

}  // namespace synthoscope::simulator
