// SPDX-License-Identifier: MIT
#include "simulator/run/frame_maker.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include "core/run/labelled_run.hpp"
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/memory_stacks.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/run/scene_run.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/timelapse/timelapse.hpp"
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
  asked.psfs = options.psfs;
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

/// A channel's microscope and its working memory.
struct ChannelEquipment {
  ChannelEquipment(const PlannedChannel& channel, const Stacks& stacks, std::size_t index,
                   std::uint64_t seed, PsfMemory* psfs, const RunContext& context)
      : planned{channel},
        held{context.memory.reserve(planned.additional.of_channel(), "sums of light and maps")},
        microscope{planned, stacks, index, seed, psfs, context},
        buffers{microscope, context} {}

  const PlannedChannel& planned;
  Reservation held;
  Microscope microscope;
  Microscope::Buffers buffers;
};

}  // namespace

/// What all frames are made with. Later members refer to earlier ones.
struct FrameMaker::Equipment {
  Equipment(const SceneSpec& asked, const FrameMakerOptions& of, fftconv::Executor& executor,
            const RunContext& context)
      : scene{checked(asked)},
        options{of},
        blur{executor},
        planned{planned_together(scene, options, blur, context)},
        objects{context.memory.reserve(planned.front().additional.objects, "objects")},
        timelapse{scene, context},
        stacks{planned, options.photons, context} {
    SceneInputs inputs{context.stop, &context.log};
    for (const PlannedChannel& one : planned) inputs.require_usable(one.channel.scene);
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const LabelledRun of_channel{context, planned[i].channel.description()};
      channels.push_back(std::make_unique<ChannelEquipment>(planned[i], stacks, i,
                                                            static_cast<std::uint64_t>(*scene.seed),
                                                            options.psfs, of_channel.context()));
      Stages stages;
      Stopwatch watch{stages};
      find_dose(channels.back()->microscope, planned[i].channel.scene, timelapse, stacks, blur,
                watch, of_channel.context());
    }
  }

  SceneSpec scene;
  FrameMakerOptions options;
  fftconv::Executor& blur;
  std::vector<PlannedChannel> planned;
  Reservation objects;
  Timelapse timelapse;
  MemoryStacks stacks;
  std::vector<std::unique_ptr<ChannelEquipment>> channels;
};

FrameMaker::FrameMaker(const SceneSpec& scene, const FrameMakerOptions& options,
                       fftconv::Executor& blur, const RunContext& context)
    : equipment_{std::make_unique<Equipment>(scene, options, blur, context)} {}

FrameMaker::~FrameMaker() = default;

const SceneSpec& FrameMaker::scene() const {
  return equipment_->scene;
}

std::int64_t FrameMaker::frames() const {
  if (equipment_->timelapse.movie() || !equipment_->options.each_alone)
    return equipment_->scene.frames;
  return std::int64_t{std::numeric_limits<std::uint32_t>::max()} + 1;
}

bool FrameMaker::has_structures() const {
  return simulator::has_structures(phantom_of(scene()), sample_grid(scene()));
}

std::vector<FrameMaker::ImageFormat> FrameMaker::images() const {
  std::vector<ImageFormat> all;
  for (const auto& one : equipment_->channels) {
    const StreamFormat counts = one->microscope.counts();
    all.push_back({one->planned.channel.name, counts.extent, counts.type});
  }
  return all;
}

FrameTables FrameMaker::make(std::int64_t frame, FrameVoxels voxels, const RunContext& context) {
  if (frame < 0 || frame >= frames())
    throw InvalidSpec(
        fmt::format("make frame {}: there are frames from 0 to {}", frame, frames() - 1));
  Equipment& kit = *equipment_;
  kit.stacks.lend(std::move(voxels));
  Stages stages;
  Stopwatch watch{stages};
  LabelledProgress progress{context.progress,
                            kit.options.each_alone ? "" : part_name(frame, kit.scene.frames)};
  const RunContext part = with_progress(progress, context);
  const Phantom phantom = kit.timelapse.phantom(frame, part);
  if (kit.timelapse.movie() && frame == 0)  // make_phantom reports independent frames
    warn_of_missing_organelles(kit.scene.cells, phantom.cells, context.log);
  std::vector<std::string> channels;
  for (const auto& one : kit.channels) channels.push_back(one->planned.channel.name);
  TruthTables tables{channels};
  const FrameLabels names =
      kit.timelapse.labels_of(kit.options.each_alone && !kit.timelapse.movie() ? 0 : frame);
  write_truth(frame, phantom, names, *kit.timelapse.masks(phantom, names.labels), kit.stacks,
              tables, nullptr, part);
  if (kit.timelapse.has_structures()) write_structures(frame, phantom, kit.stacks, part);
  const auto shifted = kit.timelapse.shifted_by_focus_drift(phantom, frame);
  for (std::size_t i = 0; i < kit.channels.size(); ++i) {
    ChannelEquipment& one = *kit.channels[i];
    const LabelledRun of_channel{part, one.planned.channel.description()};
    one.microscope.take_image(frame, shifted ? *shifted : phantom, kit.blur, one.buffers, watch,
                              of_channel.context());
    if (kit.options.photons)  // otherwise they are not kept
      tables.objects.add_snr(frame, i,
                             one.microscope.object_snr(frame, names.labels, of_channel.context()));
  }
  const bool has_spots = SpotTable::has(phantom_of(kit.scene), sample_grid(kit.scene));
  return {tables.objects.csv(), has_spots ? tables.spots.csv() : ""};
}

void FrameMaker::warn_of_saturation(Log& log) const {
  for (const auto& one : equipment_->channels)
    if (const auto text = saturation_warning(one->microscope.report({}).camera); !text.empty()) {
      const Channel& channel = one->planned.channel;
      log.warn(channel.name.empty() ? text : fmt::format("{}: {}", channel.description(), text));
    }
}

}  // namespace synthoscope::simulator
