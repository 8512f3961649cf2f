// SPDX-License-Identifier: MIT
// score/tracks/vertex_matches.hpp — which result covers each true object, frame by frame. An object
// in a frame is a vertex of the graph of tracks.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/memory_budget.hpp"
#include "score/labels/overlap.hpp"
#include "score/tracks/track_table.hpp"

namespace synthoscope::score {

/// More than one track, where the place of one is expected.
constexpr std::int32_t kSeveralTracks = -2;

/// For each frame of each track the place of a track of the other table.
class TrackFrames {
 public:
  /// @throws PlanError  the memory has no room.
  TrackFrames(const TrackTable& table, MemoryBudget& memory);

  /// Returns kNoTrack outside the frames of the track, too.
  [[nodiscard]] std::int32_t at(std::int32_t track, std::int64_t frame) const {
    const TrackSpan& span = table_.at(track);
    return span.has(frame) ? others_[index(track, frame)] : kNoTrack;
  }
  void set(std::int32_t track, std::int64_t frame, std::int32_t other) {
    others_[index(track, frame)] = other;
  }
  /// Returns the number of vertices.
  [[nodiscard]] std::int64_t count() const { return std::ssize(others_); }

 private:
  [[nodiscard]] std::size_t index(std::int32_t track, std::int64_t frame) const {
    return static_cast<std::size_t>(first_[static_cast<std::size_t>(track)] + frame -
                                    table_.at(track).begin);
  }

  const TrackTable& table_;
  Reservation counted_;
  std::vector<std::int64_t> first_;  ///< index of each track's first frame
  std::vector<std::int32_t> others_;
};

/// The tracks of one frame after the other.
class TracksOfFrames {
 public:
  /// @throws PlanError  the memory has no room.
  TracksOfFrames(const TrackTable& table, MemoryBudget& memory);

  /// Returns the places of the tracks that are in the next frame, in rising order.
  const std::vector<std::int32_t>& next();

 private:
  const TrackTable& table_;
  Reservation counted_;
  std::vector<std::int32_t> by_begin_, tracks_;
  std::size_t begun_ = 0;  ///< number of tracks that have begun
  std::int64_t frame_ = 0;
};

/// The detection test of Matula et al.: a result matches a true object if it covers more than half
/// of the object's voxels. So an object has at most one match, and a result may match several
/// objects, which it failed to split. Keeps four bytes for each object and each result of each
/// frame.
/// @source  P. Matula et al., "Cell tracking accuracy measurement based on comparison of acyclic
///          oriented graphs", PLoS ONE 10 (2015) e0144959, doi:10.1371/journal.pone.0144959.
class VertexMatches {
 public:
  /// The caller keeps both tables alive.
  /// @throws PlanError  the memory has no room.
  VertexMatches(const TrackTable& truth, const TrackTable& results, MemoryBudget& memory)
      : truth_{truth},
        results_{results},
        result_of_{truth, memory},
        truth_of_{results, memory},
        truth_tracks_{truth, memory},
        result_tracks_{results, memory} {}

  /// Takes the next frame. @throws InvalidInput  a track has no voxel in the frame, or a label of
  /// the masks has no track there.
  void add(const OverlapTable& overlaps);

  /// Returns how many frames were added.
  [[nodiscard]] std::int64_t frames() const { return frames_; }
  [[nodiscard]] const TrackTable& truth() const { return truth_; }
  [[nodiscard]] const TrackTable& results() const { return results_; }
  [[nodiscard]] std::int64_t truth_vertices() const { return result_of_.count(); }
  [[nodiscard]] std::int64_t result_vertices() const { return truth_of_.count(); }

  /// Returns the result that matches a true object, or kNoTrack.
  [[nodiscard]] std::int32_t result_of(std::int32_t truth, std::int64_t frame) const {
    return result_of_.at(truth, frame);
  }
  /// Returns the true object that a result matches, kNoTrack or kSeveralTracks.
  [[nodiscard]] std::int32_t truth_of(std::int32_t result, std::int64_t frame) const {
    return truth_of_.at(result, frame);
  }
  /// Returns the result that matches this true object and no other, or kNoTrack.
  [[nodiscard]] std::int32_t only_result_of(std::int32_t truth, std::int64_t frame) const {
    const std::int32_t result = result_of(truth, frame);
    return result != kNoTrack && truth_of(result, frame) == truth ? result : kNoTrack;
  }
  /// Returns the true object if a result matches only one, otherwise kNoTrack.
  [[nodiscard]] std::int32_t only_truth_of(std::int32_t result, std::int64_t frame) const {
    const std::int32_t truth = truth_of(result, frame);
    return truth == kSeveralTracks ? kNoTrack : truth;
  }

 private:
  const TrackTable& truth_;
  const TrackTable& results_;
  TrackFrames result_of_, truth_of_;
  TracksOfFrames truth_tracks_, result_tracks_;
  std::int64_t frames_ = 0;
};

/// Returns whether the voxels that a true object and a result share are more than half of the
/// object's.
bool covers_majority(const OverlapTable& overlaps, const Overlap& overlap);

}  // namespace synthoscope::score
