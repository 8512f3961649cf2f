// SPDX-License-Identifier: MIT
#include "score/run/score_labels.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include "core/base/json.hpp"
#include "python/files/given_images.hpp"
#include "python/files/texture_models.hpp"
#include "python/score/score.hpp"
#include "score/pages/label_json.hpp"
#include "score/run/score_surfaces.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

/// An array as images of one frame.
score::ImageFrames frames_of_array(ConstVoxelView voxels, const std::string& name,
                                   const AboutImages& about) {
  return {name, 1, [voxels, name, about](std::int64_t, const RunContext&) {
            return open_array(voxels, name, about);
          }};
}

imageio::OpenOptions options_for(const AboutImages& about) {
  imageio::OpenOptions options = about.open_options();
  options.labels = true;
  if (about.spacing_um) {
    const auto [z, y, x] = *about.spacing_um;
    options.voxel_size = VoxelSize{z, y, x};
  }
  return options;
}

score::LabelTask task_of(const GivenImage& truth, const GivenImage& result,
                         const AboutImages& about, const RunContext& context) {
  const imageio::OpenOptions options = options_for(about);
  score::LabelTask task;
  if (const auto* path = std::get_if<std::string>(&truth))
    task = score::task_with_truth(*path, options, context);
  else
    task.truth = frames_of_array(std::get<ConstVoxelView>(truth), "truth", about);
  if (const auto* path = std::get_if<std::string>(&result))
    task.results = score::result_frames(*path, task.truth.count, options, context);
  else
    task.results = frames_of_array(std::get<ConstVoxelView>(result), "result", about);
  return task;
}

/// The same text as of the command.
std::string score_labels(const nb::list& truth_and_result, const AboutImages& about,
                         bool ignore_border, double min_volume, bool surfaces,
                         const std::optional<double>& tolerance, const Resources& resources) {
  const std::vector<GivenImage> given = given_images(truth_and_result);
  Json scores;
  resources.run([&](const RunContext& context) {
    const std::vector<score::LabelTask> tasks{task_of(given.at(0), given.at(1), about, context)};
    const auto report = score::score_labels(tasks, {ignore_border, min_volume}, context);
    std::optional<score::SurfaceScores> distances;
    if (surfaces) distances = score_surfaces(tasks, report, tolerance, context);
    scores = json_of(report, distances);
  });
  return text_of(scores);
}

}  // namespace

void add_score(nb::module_& module) {
  module.def("score_labels", score_labels, nb::arg("truth_and_result"), nb::arg("about"),
             nb::arg("ignore_border"), nb::arg("min_volume"), nb::arg("surfaces"),
             nb::arg("tolerance").none(), nb::arg("resources"),
             "Scores a segmentation; returns JSON.");
}

}  // namespace synthoscope::python
