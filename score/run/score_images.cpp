// SPDX-License-Identifier: MIT
#include "score/run/score_images.hpp"
#include <fmt/format.h>
#include <utility>
#include "core/base/error.hpp"
#include "score/sets/image_frames.hpp"

namespace synthoscope::score {

ImageTask task_with_light(const std::filesystem::path& truth, ImageTruth beside,
                          const imageio::OpenOptions& open, const RunContext& context) {
  ImageTask task;
  if (!is_data_set(truth)) {
    task.truth = imageio::open_counted(truth, open, context);
    return task;
  }
  const simulator::DataSetReader set{truth};
  const simulator::FrameRange& made = set.made();
  const std::int64_t frame = open.frame.value_or(made.first);
  if ((!open.frame && made.count() > 1) || !made.holds(frame))
    throw InvalidSpec(fmt::format("score {}: choose one of its frames with --frame {} to {}",
                                  truth.string(), made.first, made.last));
  const std::size_t channel = require_channel(set, open.channel.value_or(0));
  task.truth = beside == ImageTruth::light ? set.light(frame, channel, context)
                                           : set.photons(frame, channel, context);
  imageio::CountedImage labels = set.labels(frame, context);
  if (labels.info.extent == task.truth.info.extent) task.labels = std::move(labels);
  return task;
}

ImageScores score_images(const ImageTask& task, const RunContext& context) {
  auto voxel = task.truth.info.voxel_size();
  if (!voxel) voxel = task.result.info.voxel_size();
  if (!voxel && task.truth.info.extent.z == 1 && task.truth.info.y_um && task.truth.info.x_um)
    voxel = VoxelSize{1, *task.truth.info.y_um, *task.truth.info.x_um};
  if (!voxel)
    throw InvalidSpec(fmt::format(
        "score {}: neither it nor {} says how far voxels are apart; give --voxel-um Z,Y,X",
        task.result.info.path.string(), task.truth.info.path.string()));
  std::optional<LabelImage> labels;
  if (task.labels)
    labels.emplace(LabelImage{*task.labels->source, task.labels->info.path.string()});
  ImageScoreRequest request{{*task.truth.source, task.truth.info.path.string()},
                            {*task.result.source, task.result.info.path.string()},
                            *voxel};
  request.labels = labels ? &*labels : nullptr;
  request.window = task.window;
  request.shells = task.shells;
  return image_scores(request, context);
}

}  // namespace synthoscope::score
