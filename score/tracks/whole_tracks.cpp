// SPDX-License-Identifier: MIT
#include "score/tracks/whole_tracks.hpp"
#include <algorithm>

namespace synthoscope::score {
namespace {

/// Returns the frames of the longest run in which one result track follows a true track.
std::int64_t longest_run(const VertexMatches& matches, std::int32_t truth) {
  const TrackSpan& track = matches.truth().at(truth);
  std::int64_t longest = 0, run = 0;
  std::int32_t followed_by = kNoTrack;
  for (std::int64_t frame = track.begin; frame <= track.end; ++frame) {
    const std::int32_t result = matches.only_result_of(truth, frame);
    run = result == kNoTrack ? 0 : result == followed_by ? run + 1 : 1;
    followed_by = result;
    longest = std::max(longest, run);
  }
  return longest;
}

bool has_same_ends(const VertexMatches& matches, std::int32_t truth) {
  const TrackSpan& track = matches.truth().at(truth);
  const std::int32_t result = matches.only_result_of(truth, track.begin);
  if (result == kNoTrack) return false;
  const TrackSpan& other = matches.results().at(result);
  return other.begin == track.begin && other.end == track.end;
}

}  // namespace

WholeTracks whole_tracks(const VertexMatches& matches) {
  WholeTracks whole;
  double fractions = 0;
  std::int64_t followed = 0;
  for (std::int32_t i = 0; i < matches.truth().count(); ++i) {
    const std::int64_t frames = matches.truth().at(i).frames(), run = longest_run(matches, i);
    if (run == 0) continue;
    ++followed;
    fractions += static_cast<double>(run) / static_cast<double>(frames);
    if (run == frames && has_same_ends(matches, i)) ++whole.complete;
  }
  const std::int64_t tracks = matches.truth().count() + matches.results().count();
  const bool is_empty = tracks == 0;
  whole.ct = is_empty ? 1 : static_cast<double>(2 * whole.complete) / static_cast<double>(tracks);
  whole.tf = is_empty ? 1 : followed == 0 ? 0 : fractions / static_cast<double>(followed);
  return whole;
}

}  // namespace synthoscope::score
