// SPDX-License-Identifier: MIT
#include "score/tracks/vertex_matches.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include "core/base/error.hpp"

namespace synthoscope::score {
namespace {

[[noreturn]] void refuse_gap(const TrackTable& table, const TrackSpan& track, std::int64_t frame) {
  throw InvalidInput(
      fmt::format("score {}: track {} goes from frame {} to {}, and no voxel of frame {} has its "
                  "label; a track is in each of its frames, so end it before the gap and list a "
                  "new label after it, with the old one as its parent",
                  table.name, track.id, track.begin, track.end, frame));
}

[[noreturn]] void refuse_label(const TrackTable& table, const LabelledObject& object,
                               std::int64_t frame) {
  throw InvalidInput(
      fmt::format("score {}: {} voxels of frame {} have the label {}, and no track with this label "
                  "is in that frame; list its track, or remove it from the masks",
                  table.name, object.voxels, frame, object.id));
}

/// Requires that the tracks of a frame are its objects.
/// @param tracks   by rising id
/// @param objects  by rising id
void require_same_labels(const TrackTable& table, const std::vector<std::int32_t>& tracks,
                         const std::vector<LabelledObject>& objects, std::int64_t frame) {
  for (std::size_t i = 0; i < std::max(tracks.size(), objects.size()); ++i) {
    const bool has_track = i < tracks.size(), has_object = i < objects.size();
    if (!has_track) refuse_label(table, objects[i], frame);
    const TrackSpan& track = table.at(tracks[i]);
    if (!has_object || track.id < objects[i].id) refuse_gap(table, track, frame);
    if (track.id > objects[i].id) refuse_label(table, objects[i], frame);
  }
}

}  // namespace

TrackFrames::TrackFrames(const TrackTable& table, MemoryBudget& memory) : table_{table} {
  std::int64_t vertices = 0;
  for (const TrackSpan& track : table.tracks) vertices += track.frames();
  counted_ =
      memory.reserve(vertices * std::int64_t{sizeof(std::int32_t)} +
                         table.count() * std::int64_t{sizeof(std::int64_t) + sizeof(TrackSpan)},
                     "matches of tracks");
  first_.reserve(table.tracks.size());
  std::int64_t first = 0;
  for (const TrackSpan& track : table.tracks) {
    first_.push_back(first);
    first += track.frames();
  }
  others_.assign(static_cast<std::size_t>(vertices), kNoTrack);
}

TracksOfFrames::TracksOfFrames(const TrackTable& table, MemoryBudget& memory)
    : table_{table},
      counted_{memory.reserve(2 * table.count() * std::int64_t{sizeof(std::int32_t)},
                              "matches of tracks")} {
  by_begin_.resize(table.tracks.size());
  std::iota(by_begin_.begin(), by_begin_.end(), 0);
  std::stable_sort(by_begin_.begin(), by_begin_.end(), [&](std::int32_t a, std::int32_t b) {
    return table.at(a).begin < table.at(b).begin;
  });
}

const std::vector<std::int32_t>& TracksOfFrames::next() {
  std::erase_if(tracks_, [&](std::int32_t track) { return table_.at(track).end < frame_; });
  const std::ptrdiff_t continued = std::ssize(tracks_);
  for (; begun_ < by_begin_.size() && table_.at(by_begin_[begun_]).begin == frame_; ++begun_)
    tracks_.push_back(by_begin_[begun_]);
  std::inplace_merge(tracks_.begin(), tracks_.begin() + continued, tracks_.end());
  ++frame_;
  return tracks_;
}

bool covers_majority(const OverlapTable& overlaps, const Overlap& overlap) {
  return 2 * overlap.voxels > overlaps.truth[overlap.truth].voxels;
}

void VertexMatches::add(const OverlapTable& overlaps) {
  const std::vector<std::int32_t>&truth = truth_tracks_.next(), &results = result_tracks_.next();
  require_same_labels(truth_, truth, overlaps.truth, frames_);
  require_same_labels(results_, results, overlaps.results, frames_);
  for (const Overlap& overlap : overlaps.overlaps) {
    if (!covers_majority(overlaps, overlap)) continue;
    const std::int32_t object = truth[overlap.truth], result = results[overlap.result];
    result_of_.set(object, frames_, result);
    const bool is_first = truth_of_.at(result, frames_) == kNoTrack;
    truth_of_.set(result, frames_, is_first ? object : kSeveralTracks);
  }
  ++frames_;
}

}  // namespace synthoscope::score
