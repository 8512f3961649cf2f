// SPDX-License-Identifier: MIT
#include "studio/preview/preview.hpp"
#include <fmt/format.h>
#include <filesystem>
#include "core/base/error.hpp"
#include "core/run/labelled_run.hpp"
#include "simulator/run/pipeline.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "studio/preview/channel_image.hpp"
#include "studio/preview/touching.hpp"
#include "studio/stages.hpp"

namespace synthoscope::studio {
namespace {

/// Returns names, sizes and times of the files that a scene names.
std::string state_of_files(const std::vector<simulator::Channel>& channels) {
  std::vector<simulator::SceneSpec> scenes;
  for (const simulator::Channel& one : channels) scenes.push_back(one.scene);
  std::string state;
  for (const std::filesystem::path& file : simulator::input_files_of(scenes)) {
    std::error_code none;  // whoever reads the file says what is wrong with it
    const auto time = std::filesystem::last_write_time(file, none).time_since_epoch().count();
    state += fmt::format("{} {} {}\n", file.string(), std::filesystem::file_size(file, none), time);
  }
  return state;
}

void require_frame(const simulator::SceneSpec& scene, std::int64_t frame) {
  if (frame < 0 || frame >= scene.frames)
    throw InvalidSpec(
        fmt::format("preview frame {}: there are frames from 0 to {}", frame, scene.frames - 1));
}

void require_plans_fit(const PreviewRequest& request, const Box3& region, std::size_t channels) {
  if (request.plans.empty()) return;
  if (request.plans.size() != channels)
    throw InvalidSpec(
        fmt::format("preview with given plans: there are {} plans for {} images; "
                    "give one for each",
                    request.plans.size(), channels));
  if (region != whole(request.scene.grid.extent))
    throw InvalidSpec(
        fmt::format("preview with given plans: they are for the grid of {} voxels, "
                    "and the region is {}; preview the whole grid",
                    request.scene.grid.extent, region));
}

}  // namespace

struct Preview::Products {
  explicit Products(fftconv::Executor& executor) : blur{executor} {}

  /// Returns the scene with a seed: its own, or the one that was drawn.
  simulator::SceneSpec seeded(simulator::SceneSpec scene, Log& log) {
    if (scene.seed) return scene;
    if (!drawn_seed) drawn_seed = simulator::drawn_seed(log);
    scene.seed = drawn_seed;
    return scene;
  }

  /// Places the objects of a frame, renders their masks, and counts them.
  PreviewFrame placed(const simulator::SceneSpec& scene, std::int64_t number, const Box3& region,
                      const std::string& files, Stopwatch& watch, const RunContext& context) {
    const std::string sample_key =
        fmt::format("{}{}{}", files, number, values_of(scene, {Stage::phantom}));
    const std::string labels_key = fmt::format("{}{}", sample_key, region);
    labels.forget_unless(labels_key);
    sample.update(sample_key, context, [&](const RunContext& run) {
      return std::make_shared<Sample>(scene, number, run);
    });
    watch.lap("phantom");
    labels.update(labels_key, context,
                  [&](const RunContext& run) { return sample->masks(region, run); });
    objects.update(labels_key, context, [&](const RunContext& run) {
      return std::make_shared<ObjectCounts>(count_objects(*labels, run));
    });
    watch.lap("labels");
    return {scene, number, region, *sample, labels.shared(), sample_key, labels_key, files};
  }

  fftconv::Executor& blur;
  std::optional<std::int64_t> drawn_seed;
  Kept<Sample> sample;
  Kept<Stack> labels;
  Kept<ObjectCounts> objects;
  std::vector<std::unique_ptr<ChannelImage>> images;
};

Preview::Preview(fftconv::Executor& blur) : products_{std::make_unique<Products>(blur)} {}

Preview::~Preview() = default;

Shown Preview::make(const PreviewRequest& request, const RunContext& context) {
  Products& kept = *products_;
  const StopScope scope{context.stop};
  Shown shown;
  Stopwatch watch{shown.seconds};
  require_valid(request.scene);
  require_frame(request.scene, request.frame);
  const simulator::SceneSpec scene = kept.seeded(request.scene, context.log);
  const auto channels = channels_of(scene);
  shown.region = usable_region(scene.grid, channels, request.region);
  require_plans_fit(request, shown.region, channels.size());
  while (kept.images.size() < channels.size())
    kept.images.push_back(std::make_unique<ChannelImage>());
  kept.images.resize(channels.size());
  watch.lap("check");
  const PreviewFrame frame =
      kept.placed(scene, request.frame, shown.region, state_of_files(channels), watch, context);
  shown.labels = frame.labels;
  shown.objects = *kept.objects;
  shown.seed = *scene.seed;
  shown.is_seed_drawn = !request.scene.seed;
  shown.warnings = kept.sample.warnings();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const simulator::Channel& channel = channels[i];
    const LabelledRun of_channel{context, channel.description()};
    ChannelImage& image = *kept.images[i];
    shown.images.push_back(image.make(channel, frame,
                                      request.plans.empty() ? nullptr : &request.plans[i],
                                      kept.blur, watch, of_channel.context()));
    for (const std::string& warning : image.warnings())
      shown.warnings.push_back(
          channel.name.empty() ? warning : fmt::format("{}: {}", channel.description(), warning));
  }
  return shown;
}

}  // namespace synthoscope::studio
