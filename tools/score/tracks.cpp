// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "score/pages/track_page.hpp"
#include "score/run/score_tracks.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {

ScoreAnswer answer_tracks(const ScoreRequest& request, const RunContext& context) {
  imageio::OpenOptions open = request.open;
  open.labels = true;
  const score::TrackedMovie truth = score::tracked_movie(request.truth, open, context);
  const score::TrackedMovie result = score::tracked_movie(request.result, open, context);
  const score::TrackScores scores = score_tracks(truth, result, context);
  ScoreAnswer answer;
  answer.json = {{"kind", "tracks"},
                 {"truth", scores.truth_tracks},
                 {"results", scores.result_tracks},
                 {"tracks", json_of(scores)}};
  answer.text = score_text(scores);
  if (request.has_page) answer.page = score::track_sections(scores);
  return answer;
}

}  // namespace synthoscope::tools
