// SPDX-License-Identifier: MIT
// score/run/score_tracks.hpp — scores the tracks of a movie, from files to numbers.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "score/sets/image_frames.hpp"
#include "score/tracks/track_scores.hpp"
#include "score/tracks/track_table.hpp"

namespace synthoscope::score {

/// Label images of a movie, and the table of their tracks.
struct TrackedMovie {
  ImageFrames labels;
  TrackTable tracks;
};

/// Returns whether a folder holds a table of tracks of the Cell Tracking Challenge, beside its
/// masks or in a folder TRA.
bool has_tracks(const std::filesystem::path& folder);

/// Opens a data set of a movie, or a folder of the Cell Tracking Challenge: masks and res_track.txt
/// or man_track.txt, in it or in its folder TRA.
/// @throws InvalidSpec   it is neither, or a data set of independent frames, or a part of a movie.
/// @throws InvalidInput, IoError  as DataSetReader, truth_frames and read_tracks
TrackedMovie tracked_movie(const std::filesystem::path& folder, const imageio::OpenOptions& options,
                           const RunContext& context);

/// Reads every voxel of both movies once.
/// @throws InvalidSpec  they differ in frames or size.
/// @throws as TrackScorer and overlap_of, and what opening throws
TrackScores score_tracks(const TrackedMovie& truth, const TrackedMovie& result,
                         const RunContext& context);

}  // namespace synthoscope::score
