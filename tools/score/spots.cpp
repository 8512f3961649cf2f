// SPDX-License-Identifier: MIT
#include "score/pages/spot_page.hpp"
#include "score/pages/strata_section.hpp"
#include "score/run/score_spots.hpp"
#include "score/spots/spot_table.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {

ScoreAnswer answer_spots(const ScoreRequest& request, const RunContext& context) {
  score::SpotSettings settings = request.spots;
  settings.channel = request.open.channel.value_or(0);
  const auto read = [&](const score::SpotSpace& space) {
    return score::read_spots(request.result, space, request.columns, context);
  };
  const score::SpotReport report =
      score::score_data_set_spots(request.truth, read, settings, context);
  ScoreAnswer answer;
  answer.json = {{"kind", "spots"},
                 {"truth", report.scores.truth},
                 {"results", report.scores.results},
                 {"spots", json_of(report.scores)},
                 {"strata", json_of(report.strata)}};
  answer.text = score_text(report.scores) + strata_text(report.strata);
  if (request.has_page) answer.page = score::spot_sections(report.scores, report.strata);
  return answer;
}

}  // namespace synthoscope::tools
