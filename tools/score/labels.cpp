// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "score/pages/label_json.hpp"
#include "score/pages/label_page.hpp"
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {
namespace {

score::LabelTask label_task(const ScoreRequest& request, const ScoredPair& pair,
                            const RunContext& context) {
  imageio::OpenOptions open = request.open;
  open.labels = true;
  score::LabelTask task = score::task_with_truth(pair.truth, open, context);
  task.name = pair.set.folder;
  task.results = score::result_frames(pair.result, task.truth.count, open, context);
  if (!request.picture.empty())
    task.image = score::result_frames(request.picture, task.truth.count, request.open, context);
  return task;
}

/// An image of light has voxels of many values, which look like objects.
void warn_of_no_match(const score::LabelReport& report, const ScoreRequest& request, Log& log) {
  const score::LabelScores& scores = report.scores;
  if (scores.at(0.1).tp > 0 || scores.truth == 0 || scores.results == 0) return;
  log.warn(fmt::format(
      "none of the {} values of {} stands for a true object; if it is an image of light, give its "
      "labels, or --kind image",
      scores.results, request.result.string()));
}

}  // namespace

ScoreAnswer answer_labels(const ScoreRequest& request, std::vector<ScoredPair>& pairs,
                          const RunContext& context) {
  std::vector<score::LabelTask> tasks;
  for (const ScoredPair& pair : pairs) tasks.push_back(label_task(request, pair, context));
  const score::LabelReport report = score_labels(tasks, request.selection, context);
  warn_of_no_match(report, request, context.log);
  std::optional<score::SurfaceScores> surfaces;
  if (request.surfaces) surfaces = score_surfaces(tasks, report, request.tolerance_um, context);

  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i].set.scores = {{"truth", report.of_tasks[i].truth},
                           {"results", report.of_tasks[i].results},
                           {"labels", json_of(report.of_tasks[i])}};
  ScoreAnswer answer{json_of(report, surfaces), score_text(report, surfaces), ""};
  if (request.has_page) answer.page = label_sections(tasks, report, surfaces, context);
  return answer;
}

}  // namespace synthoscope::tools
