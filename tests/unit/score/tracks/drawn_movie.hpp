// SPDX-License-Identifier: MIT
// tests/unit/score/tracks/drawn_movie.hpp — movies whose frames are drawn as two lines of text, the
// masks of the truth and of a result.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>
#include "score/tracks/track_scores.hpp"

namespace synthoscope::test {

/// A character for each voxel: '.' for the background, otherwise the label.
struct DrawnFrame {
  std::string_view truth, result;
};

struct DrawnMovie {
  std::vector<score::TrackLine> truth, results;
  std::vector<DrawnFrame> frames;
};

inline std::int64_t label_drawn(char voxel) {
  return voxel == '.' ? 0 : voxel - '0';
}

/// Counts by looking at every voxel.
/// @param id_of  the label of the result that stands for a drawn one
template <class IdOf>
score::OverlapTable table_of(const DrawnFrame& frame, IdOf&& id_of) {
  std::map<std::int64_t, std::int64_t> truth, results;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> both;
  for (std::size_t x = 0; x < frame.truth.size(); ++x) {
    const std::int64_t a = label_drawn(frame.truth[x]), drawn = label_drawn(frame.result[x]);
    const std::int64_t b = drawn == 0 ? 0 : id_of(drawn);
    if (a != 0) ++truth[a];
    if (b != 0) ++results[b];
    if (a != 0 && b != 0) ++both[{a, b}];
  }
  score::OverlapTable table;
  const auto list = [](const auto& counts, std::vector<score::LabelledObject>& objects) {
    for (const auto& [id, voxels] : counts) {
      score::LabelledObject& object = objects.emplace_back();
      object.id = id;
      object.voxels = voxels;
    }
  };
  list(truth, table.truth);
  list(results, table.results);
  const auto place = [](const auto& counts, std::int64_t id) {
    return static_cast<std::size_t>(std::distance(counts.begin(), counts.find(id)));
  };
  for (const auto& [ids, voxels] : both)
    table.overlaps.push_back({place(truth, ids.first), place(results, ids.second), voxels});
  return table;
}

/// Scores a movie, whose table of results is given with the labels of `id_of`.
template <class IdOf>
score::TrackScores scores_of(const DrawnMovie& movie, IdOf&& id_of) {
  MemoryBudget memory{std::int64_t{1} << 20};
  const auto truth = score::track_table("truth.txt", movie.truth);
  const auto results = score::track_table("result.txt", movie.results);
  score::TrackScorer scorer{truth, results, std::ssize(movie.frames), memory};
  for (const DrawnFrame& frame : movie.frames) scorer.add(table_of(frame, id_of));
  return scorer.finish();
}

inline score::TrackScores scores_of(const DrawnMovie& movie) {
  return scores_of(movie, [](std::int64_t drawn) { return drawn; });
}

}  // namespace synthoscope::test
