// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "score/pages/image_page.hpp"
#include "score/run/score_images.hpp"
#include "score/sets/image_frames.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {
namespace {

/// Returns the frame of a data set that is compared: the only one, or that of --frame.
std::int64_t frame_of(const simulator::DataSetReader& set, const ScoreRequest& request) {
  const simulator::FrameRange& made = set.made();
  const std::int64_t frame = request.open.frame.value_or(made.first);
  if ((!request.open.frame && made.count() > 1) || !made.holds(frame))
    throw InvalidSpec(fmt::format("score {}: choose one of its frames with --frame {} to {}",
                                  request.truth.string(), made.first, made.last));
  return frame;
}

/// Opens the noise-free light of a data set, and its labels if they have the same grid.
void open_truth(const ScoreRequest& request, score::ImageTask& task, const RunContext& context) {
  if (!score::is_data_set(request.truth)) {
    task.truth = imageio::open_counted(request.truth, request.open, context);
    return;
  }
  const simulator::DataSetReader set{request.truth};
  const std::int64_t frame = frame_of(set, request);
  const auto channel = static_cast<std::size_t>(request.open.channel.value_or(0));
  if (channel >= set.channels().size())
    throw InvalidSpec(fmt::format("score {}: there is no channel {}; choose --channel 0 to {}",
                                  request.truth.string(), channel, set.channels().size() - 1));
  task.truth = request.beside == ImageTruth::light ? set.light(frame, channel, context)
                                                   : set.photons(frame, channel, context);
  imageio::CountedImage labels = set.labels(frame, context);
  if (labels.info.extent == task.truth.info.extent) task.labels = std::move(labels);
}

}  // namespace

ScoreAnswer answer_image(const ScoreRequest& request, const RunContext& context) {
  score::ImageTask task;
  open_truth(request, task, context);
  imageio::OpenOptions open = request.open;
  if (score::is_data_set(request.truth)) open.frame = open.channel = std::nullopt;
  task.result = imageio::open_counted(request.result, open, context);
  task.window = request.window;
  task.shells = request.shells;
  const score::ImageScores scores = score_images(task, context);
  ScoreAnswer answer;
  answer.json = {{"kind", "image"}, {"image", json_of(scores)}};
  answer.text = score_text(scores);
  if (request.has_page) answer.page = score::image_sections(scores);
  return answer;
}

}  // namespace synthoscope::tools
