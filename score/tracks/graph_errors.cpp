// SPDX-License-Identifier: MIT
#include "score/tracks/graph_errors.hpp"

namespace synthoscope::score {
namespace {

constexpr double kCostOfSplit = 5, kCostOfMissed = 10, kCostOfSpurious = 1;
constexpr double kCostOfDeleted = 1, kCostOfAdded = 1.5, kCostOfChanged = 1;

/// A track in a frame.
struct TrackVertex {
  std::int32_t track = kNoTrack;
  std::int64_t frame = 0;
};

enum class EdgeKind { none, within_track, from_parent };

EdgeKind edge_between(const TrackTable& table, const TrackVertex& from, const TrackVertex& to) {
  if (from.track == kNoTrack || to.track == kNoTrack) return EdgeKind::none;
  if (from.track == to.track)
    return from.frame + 1 == to.frame ? EdgeKind::within_track : EdgeKind::none;
  const TrackSpan& child = table.at(to.track);
  const bool is_link = child.parent == from.track && child.begin == to.frame &&
                       table.at(from.track).end == from.frame;
  return is_link ? EdgeKind::from_parent : EdgeKind::none;
}

/// Calls `body(from, to, kind)` for each edge of a table.
template <class Body>
void for_each_edge(const TrackTable& table, Body&& body) {
  for (std::int32_t i = 0; i < table.count(); ++i) {
    const TrackSpan& track = table.at(i);
    if (track.parent != kNoTrack)
      body(TrackVertex{track.parent, table.at(track.parent).end}, TrackVertex{i, track.begin},
           EdgeKind::from_parent);
    for (std::int64_t frame = track.begin + 1; frame <= track.end; ++frame)
      body(TrackVertex{i, frame - 1}, TrackVertex{i, frame}, EdgeKind::within_track);
  }
}

void count_vertices(const VertexMatches& matches, std::vector<GraphErrors>& errors) {
  for (std::int32_t i = 0; i < matches.truth().count(); ++i) {
    const TrackSpan& track = matches.truth().at(i);
    for (std::int64_t frame = track.begin; frame <= track.end; ++frame) {
      GraphErrors& here = errors[static_cast<std::size_t>(frame)];
      const std::int32_t result = matches.result_of(i, frame);
      if (result == kNoTrack)
        ++here.fn;
      else if (matches.truth_of(result, frame) == kSeveralTracks)
        ++here.ns;  // n of a result that matches n objects; below, 1 is subtracted for each
    }
  }
  for (std::int32_t i = 0; i < matches.results().count(); ++i) {
    const TrackSpan& track = matches.results().at(i);
    for (std::int64_t frame = track.begin; frame <= track.end; ++frame) {
      GraphErrors& here = errors[static_cast<std::size_t>(frame)];
      const std::int32_t truth = matches.truth_of(i, frame);
      if (truth == kNoTrack) ++here.fp;
      if (truth == kSeveralTracks) --here.ns;
    }
  }
}

void count_edges(const VertexMatches& matches, std::vector<GraphErrors>& errors) {
  const auto in_truth = [&](const TrackVertex& result) {
    return TrackVertex{matches.only_truth_of(result.track, result.frame), result.frame};
  };
  const auto in_results = [&](const TrackVertex& truth) {
    return TrackVertex{matches.only_result_of(truth.track, truth.frame), truth.frame};
  };
  for_each_edge(matches.results(),
                [&](const TrackVertex& from, const TrackVertex& to, EdgeKind kind) {
                  const TrackVertex true_from = in_truth(from), true_to = in_truth(to);
                  if (true_from.track == kNoTrack || true_to.track == kNoTrack) return;
                  const EdgeKind true_kind = edge_between(matches.truth(), true_from, true_to);
                  GraphErrors& here = errors[static_cast<std::size_t>(to.frame)];
                  if (true_kind == EdgeKind::none)
                    ++here.ed;
                  else if (true_kind != kind)
                    ++here.ec;
                });
  for_each_edge(matches.truth(), [&](const TrackVertex& from, const TrackVertex& to, EdgeKind) {
    if (edge_between(matches.results(), in_results(from), in_results(to)) == EdgeKind::none)
      ++errors[static_cast<std::size_t>(to.frame)].ea;
  });
}

}  // namespace

GraphErrors& GraphErrors::operator+=(const GraphErrors& other) {
  ns += other.ns;
  fn += other.fn;
  fp += other.fp;
  ed += other.ed;
  ea += other.ea;
  ec += other.ec;
  return *this;
}

double GraphErrors::of_vertices() const {
  return kCostOfSplit * static_cast<double>(ns) + kCostOfMissed * static_cast<double>(fn) +
         kCostOfSpurious * static_cast<double>(fp);
}

double GraphErrors::of_edges() const {
  return kCostOfDeleted * static_cast<double>(ed) + kCostOfAdded * static_cast<double>(ea) +
         kCostOfChanged * static_cast<double>(ec);
}

double cost_of_vertices(std::int64_t vertices) {
  return kCostOfMissed * static_cast<double>(vertices);
}

double cost_of_edges(std::int64_t edges) {
  return kCostOfAdded * static_cast<double>(edges);
}

std::int64_t edges_of(const TrackTable& table) {
  std::int64_t edges = 0;
  for (const TrackSpan& track : table.tracks)
    edges += track.frames() - 1 + (track.parent != kNoTrack ? 1 : 0);
  return edges;
}

std::vector<GraphErrors> graph_errors(const VertexMatches& matches) {
  std::vector<GraphErrors> errors(static_cast<std::size_t>(matches.frames()));
  count_vertices(matches, errors);
  count_edges(matches, errors);
  return errors;
}

}  // namespace synthoscope::score
