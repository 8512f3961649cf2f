// SPDX-License-Identifier: MIT
#include "simulator/run/frame_maker.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include "core/run/labelled_run.hpp"
#include "simulator/phantom/cells/missing_organelles.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/run/scene_run.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/truth/truth.hpp"

namespace synthoscope::simulator {
namespace {

SceneSpec checked(const SceneSpec& scene) {
  require_valid(scene);
  if (!scene.seed)
    throw InvalidSpec("make frames: the scene has no seed; give one, or draw it first");
  return scene;
}

std::int64_t kept_bytes(const PlannedChannel& one, const FrameMakerOptions& options) {
  return one.additional.held() - one.additional.objects + MemoryStacks::bytes(one, options.photons);
}

/// Returns each channel with a plan for the memory that all others leave: they exist at the same
/// time.
std::vector<PlannedChannel> planned_together(const SceneSpec& scene,
                                             const FrameMakerOptions& options,
                                             fftconv::Executor& blur, const RunContext& context) {
  SimulateOptions asked;
  asked.channel = options.channel;
  auto alone = planned_channels(scene, blur.machine(), context, asked);
  std::int64_t all = 0;
  for (const PlannedChannel& one : alone) all += kept_bytes(one, options);
  std::vector<PlannedChannel> together;
  for (const PlannedChannel& one : alone) {
    // The planner counts what this channel holds, except what only MemoryStacks keeps
    const std::int64_t own = kept_bytes(one, options) - MemoryStacks::bytes(one, options.photons);
    const auto others = context.memory.reserve(all - own, "the other channels");
    if (!one.channel.name.empty()) asked.channel = one.channel.name;
    together.push_back(planned_channels(scene, blur.machine(), context, asked).front());
  }
  return together;
}

}  // namespace

FrameMaker::Set::Set(const PlannedChannel& planned, const Stacks& stacks, std::size_t index,
                     std::uint64_t seed, const RunContext& context)
    : held{context.memory.reserve(planned.additional.of_channel(), "sums of light and maps")},
      microscope{planned, stacks, index, seed, context},
      buffers{microscope, context} {}

FrameMaker::FrameMaker(const SceneSpec& scene, const FrameMakerOptions& options,
                       fftconv::Executor& blur, const RunContext& context)
    : scene_{checked(scene)},
      options_{options},
      blur_{blur},
      planned_{planned_together(scene_, options, blur, context)},
      objects_{context.memory.reserve(planned_.front().additional.objects, "objects")},
      timelapse_{scene_, context},
      stacks_{planned_, options.photons, context} {
  SceneInputs inputs{context.stop, &context.log};
  for (const PlannedChannel& one : planned_) inputs.require_usable(one.channel.scene);
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    const LabelledRun of_channel{context, planned_[i].channel.description()};
    sets_.push_back(std::make_unique<Set>(
        planned_[i], stacks_, i, static_cast<std::uint64_t>(*scene_.seed), of_channel.context()));
  }
}

std::int64_t FrameMaker::frames() const {
  if (timelapse_.movie() || !options_.each_alone) return scene_.frames;
  return std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1;
}

bool FrameMaker::has_structures() const {
  return simulator::has_structures(phantom_of(scene_), scene_.grid);
}

std::vector<FrameMaker::ImageFormat> FrameMaker::images() const {
  std::vector<ImageFormat> all;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const StreamFormat counts = sets_[i]->microscope.counts();
    all.push_back({planned_[i].channel.name, counts.extent, counts.type});
  }
  return all;
}

FrameTables FrameMaker::make(std::int64_t frame, FrameVoxels voxels, const RunContext& context) {
  if (frame < 0 || frame >= frames())
    throw InvalidSpec(
        fmt::format("make frame {}: there are frames from 0 to {}", frame, frames() - 1));
  stacks_.lend(std::move(voxels));
  Stages stages;
  Stopwatch watch{stages};
  LabelledProgress progress{context.progress,
                            options_.each_alone ? "" : part_name(frame, scene_.frames)};
  const RunContext part = with_progress(progress, context);
  const Phantom phantom = timelapse_.phantom(frame, part);
  if (timelapse_.movie() && frame == 0)  // make_phantom reports independent frames
    warn_of_missing_organelles(scene_.cells, phantom.cells, context.log);
  TruthTables tables;
  const FrameNames names = timelapse_.names(options_.each_alone && !timelapse_.movie() ? 0 : frame);
  write_truth(frame, phantom, names, stacks_, tables, nullptr, part);
  const auto unsharp = timelapse_.shifted_by_focus_drift(phantom, frame);
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const LabelledRun of_channel{part, planned_[i].channel.description()};
    sets_[i]->microscope.take_image(frame, unsharp ? *unsharp : phantom, blur_, sets_[i]->buffers,
                                    watch, of_channel.context());
  }
  const bool has_spots = SpotTable::has(phantom_of(scene_), scene_.grid);
  return {tables.objects.csv(), has_spots ? tables.spots.csv() : ""};
}

void FrameMaker::tell_saturation(Log& log) const {
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if (const auto text = saturation_of(sets_[i]->microscope.report({}).camera); !text.empty())
      log.warn(planned_[i].channel.name.empty()
                   ? text
                   : fmt::format("{}: {}", planned_[i].channel.description(), text));
}

}  // namespace synthoscope::simulator
