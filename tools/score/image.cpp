// SPDX-License-Identifier: MIT
#include "score/pages/image_page.hpp"
#include "score/run/score_images.hpp"
#include "score/sets/image_frames.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {

ScoreAnswer answer_image(const ScoreRequest& request, const RunContext& context) {
  score::ImageTask task =
      score::task_with_light(request.truth, request.beside, request.open, context);
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
