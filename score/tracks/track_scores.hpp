// SPDX-License-Identifier: MIT
// score/tracks/track_scores.hpp — the measures of the Cell Tracking Challenge, of a movie.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "score/tracks/graph_errors.hpp"

namespace synthoscope::score {

/// All measures are from 0 to 1, and 1 for a truth that is compared with itself. Where neither
/// truth nor result has an object they are 1, and where only one of them has objects they are 0.
/// Nothing: the truth has no link or no division, so that the measure is not defined.
struct TrackScores {
  std::int64_t frames = 0;
  std::int64_t truth_tracks = 0, result_tracks = 0;
  std::int64_t truth_objects = 0, result_objects = 0;  ///< of all frames
  std::int64_t truth_links = 0, result_links = 0;      ///< edges: see GraphErrors
  std::int64_t truth_divisions = 0, result_divisions = 0;

  double det = 0;             ///< detection: 1 - AOGM-D / cost of all true objects, not below 0
  double seg = 0;             ///< mean over true objects of the IoU with their match, 0 without one
  double tra = 0;             ///< tracking: 1 - AOGM / cost of all true objects and links
  std::optional<double> lnk;  ///< linking: 1 - AOGM-A / cost of all true links
  GraphErrors errors;
  double ct = 0;                            ///< complete tracks: see WholeTracks
  double tf = 0;                            ///< track fractions
  std::array<std::optional<double>, 4> bc;  ///< branching correctness BC(i) for i = 0 ... 3 frames
  double hota = 0, chota = 0;               ///< see Associations
  std::vector<GraphErrors> by_frame;        ///< an edge counts in the frame that it leads to
};

/// What SEG is made of.
struct SegSum {
  double iou = 0;  ///< of all matches
  std::int64_t truth_objects = 0, result_objects = 0;

  void add(const OverlapTable& overlaps);
  [[nodiscard]] double seg() const;
};

/// Scores a movie whose frames are given one after the other.
class TrackScorer {
 public:
  /// The caller keeps both tables alive.
  /// @param frames  of the movie
  /// @throws InvalidInput  a track ends later.  @throws PlanError  the memory has no room.
  TrackScorer(const TrackTable& truth, const TrackTable& results, std::int64_t frames,
              MemoryBudget& memory);

  /// Takes the next frame; what it needs of `overlaps` is kept.
  /// @throws InvalidInput  a track has no voxel in this frame, or a label no track.
  void add(const OverlapTable& overlaps);

  /// Takes a segmentation for SEG, whose true labels need not be those of the tracks. The challenge
  /// segments some frames only, and its masks of tracks may be mere markers. Without any
  /// segmentation, SEG is of the masks that were given to add().
  void add_segmentation(const OverlapTable& overlaps);

  /// Computes the scores, when all frames were added. @throws PlanError  the memory has no room.
  [[nodiscard]] TrackScores finish() const;

 private:
  std::int64_t frames_;
  MemoryBudget& memory_;
  VertexMatches matches_;
  SegSum of_tracks_;
  std::optional<SegSum> of_segmentations_;
};

/// Returns an object with the keys det, seg, tra, lnk, aogm (an object: total, vertices, edges, ns,
/// fn, fp, ed, ea, ec), ct, tf, bc (four values), hota, chota, truth and results (objects: tracks,
/// objects, links, divisions), and by_frame (an object of lists: ns, fn, fp, ed, ea, ec). Undefined
/// values are null.
Json json_of(const TrackScores& scores);

}  // namespace synthoscope::score
