// SPDX-License-Identifier: MIT
#include "score/tracks/track_scores.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "score/tracks/associations.hpp"
#include "score/tracks/divisions.hpp"
#include "score/tracks/whole_tracks.hpp"

namespace synthoscope::score {
namespace {

/// Returns `table`. @throws InvalidInput  a track ends after the movie.
const TrackTable& within_movie(const TrackTable& table, std::int64_t frames) {
  for (const TrackSpan& track : table.tracks) {
    if (track.end < frames) continue;
    throw InvalidInput(
        fmt::format("score {}: track {} goes from frame {} to {}, and the masks have {} frames, "
                    "numbered from 0; give all masks, or correct the line of the track",
                    table.name, track.id, track.begin, track.end, frames));
  }
  return table;
}

/// Returns the bytes for children and associations of all tracks.
std::int64_t bytes_to_finish(const VertexMatches& matches) {
  constexpr std::int64_t kOfTrack =
      6 * sizeof(std::vector<std::int32_t>) + 6 * sizeof(std::int64_t);
  constexpr std::int64_t kOfMatch = 3 * sizeof(std::int64_t) + 2 * sizeof(std::int32_t);
  return (matches.truth().count() + matches.results().count()) * kOfTrack +
         matches.truth_vertices() * kOfMatch + matches.frames() * std::int64_t{sizeof(GraphErrors)};
}

/// @param all  cost of everything in the truth; above 0
double one_minus_cost(double cost, double all) {
  return 1 - std::min(cost, all) / all;
}

Json optional_score(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

Json track_counts_of(std::int64_t tracks, std::int64_t objects, std::int64_t links,
                     std::int64_t divisions) {
  return {{"tracks", tracks}, {"objects", objects}, {"links", links}, {"divisions", divisions}};
}

using ErrorCount = std::int64_t GraphErrors::*;

constexpr std::array<std::pair<const char*, ErrorCount>, 6> kErrorCounts{
    {{"ns", &GraphErrors::ns},
     {"fn", &GraphErrors::fn},
     {"fp", &GraphErrors::fp},
     {"ed", &GraphErrors::ed},
     {"ea", &GraphErrors::ea},
     {"ec", &GraphErrors::ec}}};

Json aogm_of(const GraphErrors& errors) {
  Json json{
      {"total", errors.all()}, {"vertices", errors.of_vertices()}, {"edges", errors.of_edges()}};
  for (const auto& [key, count] : kErrorCounts) json[key] = errors.*count;
  return json;
}

Json error_lists_of(const std::vector<GraphErrors>& by_frame) {
  Json json = Json::object();
  for (const auto& [key, count] : kErrorCounts) {
    Json list = Json::array();
    for (const GraphErrors& errors : by_frame) list.push_back(errors.*count);
    json[key] = std::move(list);
  }
  return json;
}

}  // namespace

void SegSum::add(const OverlapTable& overlaps) {
  for (const Overlap& overlap : overlaps.overlaps)
    if (covers_majority(overlaps, overlap)) iou += overlaps.iou(overlap);
  truth_objects += std::ssize(overlaps.truth);
  result_objects += std::ssize(overlaps.results);
}

double SegSum::seg() const {
  if (truth_objects == 0) return result_objects == 0 ? 1 : 0;
  return iou / static_cast<double>(truth_objects);
}

TrackScorer::TrackScorer(const TrackTable& truth, const TrackTable& results, std::int64_t frames,
                         MemoryBudget& memory)
    : frames_{frames},
      memory_{memory},
      matches_{within_movie(truth, frames), within_movie(results, frames), memory} {}

void TrackScorer::add(const OverlapTable& overlaps) {
  matches_.add(overlaps);
  of_tracks_.add(overlaps);
}

void TrackScorer::add_segmentation(const OverlapTable& overlaps) {
  if (!of_segmentations_) of_segmentations_.emplace();
  of_segmentations_->add(overlaps);
}

TrackScores TrackScorer::finish() const {
  SYNTHOSCOPE_ASSERT(matches_.frames(), ==, frames_);
  const Reservation counted = memory_.reserve(bytes_to_finish(matches_), "scores of tracks");
  TrackScores scores;
  scores.frames = frames_;
  scores.truth_tracks = matches_.truth().count();
  scores.result_tracks = matches_.results().count();
  scores.truth_objects = matches_.truth_vertices();
  scores.result_objects = matches_.result_vertices();
  scores.truth_links = edges_of(matches_.truth());
  scores.result_links = edges_of(matches_.results());

  scores.by_frame = graph_errors(matches_);
  for (const GraphErrors& errors : scores.by_frame) scores.errors += errors;
  const double all_objects = cost_of_vertices(scores.truth_objects);
  const double all_links = cost_of_edges(scores.truth_links);
  if (scores.truth_objects > 0) {
    scores.det = one_minus_cost(scores.errors.of_vertices(), all_objects);
    scores.tra = one_minus_cost(scores.errors.all(), all_objects + all_links);
  } else {
    scores.det = scores.tra = scores.result_objects == 0 ? 1 : 0;
  }
  scores.seg = of_segmentations_.value_or(of_tracks_).seg();
  if (scores.truth_links > 0) scores.lnk = one_minus_cost(scores.errors.of_edges(), all_links);

  const WholeTracks whole = whole_tracks(matches_);
  scores.ct = whole.ct;
  scores.tf = whole.tf;
  for (std::size_t i = 0; i < scores.bc.size(); ++i) {
    const DivisionCounts divisions = division_counts(matches_, static_cast<std::int64_t>(i));
    scores.bc[i] = divisions.f1();
    scores.truth_divisions = divisions.truth;
    scores.result_divisions = divisions.results;
  }
  const Associations both = associations(matches_);
  scores.hota = both.hota;
  scores.chota = both.chota;
  return scores;
}

Json json_of(const TrackScores& scores) {
  Json bc = Json::array();
  for (const std::optional<double>& value : scores.bc) bc.push_back(optional_score(value));
  return {{"det", scores.det},
          {"seg", scores.seg},
          {"tra", scores.tra},
          {"lnk", optional_score(scores.lnk)},
          {"aogm", aogm_of(scores.errors)},
          {"ct", scores.ct},
          {"tf", scores.tf},
          {"bc", std::move(bc)},
          {"hota", scores.hota},
          {"chota", scores.chota},
          {"truth", track_counts_of(scores.truth_tracks, scores.truth_objects, scores.truth_links,
                                    scores.truth_divisions)},
          {"results", track_counts_of(scores.result_tracks, scores.result_objects,
                                      scores.result_links, scores.result_divisions)},
          {"by_frame", error_lists_of(scores.by_frame)}};
}

}  // namespace synthoscope::score
