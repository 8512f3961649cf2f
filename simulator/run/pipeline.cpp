// SPDX-License-Identifier: MIT
// simulator/run/pipeline.cpp — the whole program on one screen.
#include "simulator/run/pipeline.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <random>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/run/labelled_run.hpp"
#include "simulator/base/carry_on_device.hpp"
#include "simulator/data_set/annotations.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/pattern_table.hpp"
#include "simulator/data_set/preview.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/image_series.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/run/scene_run.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/fitted_sizes.hpp"
#include "simulator/timelapse/movie.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/truth.hpp"
#include "simulator/world/world.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the scene with a seed: its own, or one that is drawn and logged at once.
SceneSpec seeded(SceneSpec scene, Log& log) {
  if (!scene.seed) scene.seed = drawn_seed(log);
  return scene;
}

bool is_for_gpu(const std::vector<PlannedChannel>& channels) {
  return std::any_of(channels.begin(), channels.end(), [](const PlannedChannel& one) {
    return one.plan.where == fftconv::Place::gpu;
  });
}

std::vector<fftconv::Plan> plans_of(const std::vector<PlannedChannel>& channels) {
  std::vector<fftconv::Plan> plans;
  for (const PlannedChannel& one : channels) plans.push_back(one.plan);
  return plans;
}

std::vector<ImageBlur> blurs_of(const std::vector<PlannedChannel>& channels) {
  std::vector<ImageBlur> blurs;
  for (const PlannedChannel& one : channels) blurs.push_back({one.plan, one.references});
  return blurs;
}

/// Places all objects and writes their truth, so that errors are found before any frame is blurred.
/// @param gpu  may be null
void write_truth_of_frames(const SceneRun& run, TruthTables& tables, World& world,
                           const device::DeviceWorkspace* gpu, const RunContext& context) {
  const FrameRange& frames = run.files.layout().frames();
  for (std::int64_t frame = frames.first; frame <= frames.last; ++frame) {
    LabelledProgress progress{context.progress, part_name(frame, run.scene.frames)};
    const RunContext part = with_progress(progress, context);
    run.placed.place(frame, part);
    if (run.timelapse.movie() && frame == frames.first)  // make_phantom reports independent frames
      warn_of_missing_organelles(run.scene.cells, run.placed.phantom().cells, context.log);
    const FrameLabels names = run.timelapse.labels_of(frame);
    const auto masks = run.timelapse.masks(run.placed.phantom(), names.labels);
    const auto counts =
        write_truth(frame, run.placed.phantom(), names, *masks, run.files, tables, gpu, part);
    if (run.timelapse.has_structures())
      write_structures(frame, run.placed.phantom(), run.files, part);
    run.files.require_accepted(frame, counts);
    if (!run.timelapse.movie()) world.add(frame, names.labels, run.placed.phantom());
    run.watch.lap("labels");
  }
}

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.push_back(channel.name);
  return names;
}

/// Returns the files that a scene names, in their present state.
imageio::InputsAsRead noted_inputs(const SceneSpec& scene, const SimulateOptions& options) {
  std::vector<SceneSpec> channels;
  for (Channel& channel : channels_of(scene, options.channel))
    channels.push_back(std::move(channel.scene));
  imageio::InputsAsRead inputs;
  inputs.note(input_files_of(channels));
  return inputs;
}

/// Returns the record with the doses that were found.
Json with_doses(Json record, const std::vector<ImagingReport>& images) {
  for (const ImagingReport& image : images) {
    if (!image.dose) continue;
    if (image.channel.empty())
      record["dose"] = *image.dose;
    else
      record["dose"][image.channel] = *image.dose;
  }
  return record;
}

}  // namespace

std::int64_t drawn_seed(Log& log) {
  std::random_device entropy;
  const std::uint64_t bits = (std::uint64_t{entropy()} << 32) | entropy();
  const auto seed = static_cast<std::int64_t>(bits >> 11);  // 53 bits: exact in any JSON reader
  log.note(fmt::format("drew seed {}", seed));
  return seed;
}

std::vector<fftconv::Plan> plan_simulation(const SceneSpec& scene, const fftconv::Machine& machine,
                                           const RunContext& context,
                                           const SimulateOptions& options, SceneInputs& inputs) {
  require_valid(scene);
  require_holdable(scene, options);
  const auto channels = planned_channels(scene, machine, context, options);
  for (const PlannedChannel& one : channels) inputs.require_usable(one.channel.scene);
  return plans_of(channels);
}

std::vector<fftconv::Plan> plan_simulation(const SceneSpec& scene, const fftconv::Machine& machine,
                                           const RunContext& context,
                                           const SimulateOptions& options) {
  SceneInputs inputs{context.stop, &context.log};
  return plan_simulation(scene, machine, context, options, inputs);
}

SimulationReport simulate(const SceneSpec& requested, const SimulateOptions& options,
                          fftconv::Executor& blur, const RunContext& context) {
  SimulationReport report;
  Stopwatch watch{report.stages};

  // Plan the blurs next to all other memory, before anything is computed or written
  require_valid(requested);
  require_holdable(requested, options);
  DataSet::require_free(options);
  const SceneSpec scene = seeded(requested, context.log);
  for (const std::string& note : notes_on_fitted_sizes(scene)) context.log.note(note);
  const auto seed = static_cast<std::uint64_t>(*scene.seed);
  const imageio::InputsAsRead own =
      options.inputs ? imageio::InputsAsRead{} : noted_inputs(scene, options);
  const imageio::InputsAsRead& read = options.inputs ? *options.inputs : own;
  SceneInputs inputs{context.stop, &context.log};
  const auto channels = planned_channels(scene, blur.machine(), context, options);
  const auto kept = context.memory.reserve(channels.front().additional.objects, "objects");
  watch.lap("plan");

  // The GPU's memory is used for one thing at a time
  const auto& gpu_of_now = blur.machine().gpu;
  MemoryBudget gpu_memory{gpu_of_now ? gpu_of_now->memory_bytes : 0, 0, "--gpu-memory"};
  std::optional<device::DeviceWorkspace> gpu;
  if (is_for_gpu(channels) && options.device)
    gpu.emplace(device::DeviceWorkspace{*options.device, gpu_memory});

  // Decide what happens in the world
  const Timelapse timelapse{scene, context};
  watch.lap("world");

  // Write what determines the data set
  for (const PlannedChannel& one : channels) inputs.require_usable(one.channel.scene);
  const auto blurs = blurs_of(channels);
  const Json record = scene_record(scene, options, blurs, inputs.record(scene, options.channel));
  DataSet files{scene, options, blurs, context};
  files.begin_record(record);
  const FrameRange frames = files.layout().frames();
  TruthTables tables{names_of(files.channels())};
  World world{WorldSize::of(scene)};

  PlacedFrame placed{timelapse, watch};
  const SceneRun run{scene, timelapse, files, tables.objects, placed, watch};
  write_truth_of_frames(run, tables, world, gpu ? &*gpu : nullptr, context);

  // Take the images, channel by channel: one microscope exists at a time
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto reserved = context.memory.reserve(channels[i].additional.of_channel(),
                                                 "sums of light, maps and chunks");
    const LabelledRun of_channel{context, channels[i].channel.description()};
    Microscope microscope{channels[i], files, i, seed, options.psfs, of_channel.context()};
    watch.lap("psf and camera");
    find_dose(microscope, channels[i].channel.scene, timelapse, files, blur, watch,
              of_channel.context());
    const bool shows = i + 1 == channels.size();  // the preview shows all channels
    report.images.push_back(
        options.recorded.empty()
            ? take_images(run, channels[i], microscope, i, shows, blur, of_channel.context())
            : take_recorded_image(run, microscope, i, shows, of_channel.context()));
    if (const auto text = saturation_warning(report.images.back().camera); !text.empty())
      of_channel.context().log.warn(text);
  }
  if (timelapse.movie() && frames.count() > 1) write_movie_preview(timelapse, files, context);

  // Write the tables of all objects, and make the data set visible
  files.write_text(kSceneFile, runnable_toml(scene, options.directory));
  const std::string objects = tables.objects.csv();
  files.write_text("objects.csv", objects);
  write_annotations(scene, objects, files, context);
  if (files.layout().extras().spots) files.write_text("spots.csv", tables.spots.csv());
  if (files.layout().extras().pattern)
    files.write_text("pattern.csv", pattern_csv(files.channels(), scene.frames));
  const Tracks* tracks = timelapse.movie() ? &timelapse.movie()->tracks() : nullptr;
  if (const auto file = files.layout().tracks(); !file.empty())
    files.write_text(file, tracks ? challenge_tracks(*tracks) : tables.objects.tracks());
  if (tracks) {
    files.write_text(kTracksTable, tracks_csv(*tracks));
    world.add(*timelapse.movie());
  }
  files.write_world(world);
  files.complete_record(with_doses(record, report.images));
  read.require_unchanged();
  report.files = files.commit();
  watch.lap("tables");

  for (ImagingReport& image : report.images)
    image.blur.peak_device_bytes = std::max(image.blur.peak_device_bytes, gpu_memory.peak());
  report.seed = *scene.seed;
  report.grid = scene.grid;
  report.frames = frames.count();
  report.objects = tracks ? static_cast<std::int64_t>(tracks->all().size()) : tables.objects.rows();
  report.objects_without_voxel = tables.objects.without_voxel();
  report.seconds = watch.total();
  return report;
}

}  // namespace synthoscope::simulator
