// SPDX-License-Identifier: MIT
#include "score/run/score_images.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::score {

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
