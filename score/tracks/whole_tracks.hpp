// SPDX-License-Identifier: MIT
// score/tracks/whole_tracks.hpp — how much of each true track a result follows without a break.
#pragma once
#include <cstdint>
#include "score/tracks/vertex_matches.hpp"

namespace synthoscope::score {

/// A true track is followed in the frames in which a result matches its object and no other. Both
/// measures are 1 if neither table has a track, and 0 if one of them has none.
/// @source  V. Ulman et al., "An objective comparison of cell-tracking algorithms", Nature Methods
///          14 (2017) 1141-1152, doi:10.1038/nmeth.4473, online methods.
struct WholeTracks {
  /// True tracks that one result track with the same first and last frame follows in all frames.
  std::int64_t complete = 0;
  double ct = 0;  ///< complete tracks: F1 of these, 2 complete / (true tracks + result tracks)
  /// Track fractions: the longest run of frames in which one result track follows a true track, as
  /// a fraction of the true track; the mean over all true tracks that are followed in any frame.
  double tf = 0;
};

WholeTracks whole_tracks(const VertexMatches& matches);

}  // namespace synthoscope::score
