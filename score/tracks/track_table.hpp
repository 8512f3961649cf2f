// SPDX-License-Identifier: MIT
// score/tracks/track_table.hpp — which tracks a movie has: label, first and last frame, parent.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::score {

/// A line of a table of tracks.
struct TrackLine {
  std::int64_t id = 0;              ///< label of the masks; at least 1
  std::int64_t begin = 0, end = 0;  ///< first and last frame; frames are numbered from 0
  std::int64_t parent = 0;          ///< id of the track that it continues or descends from; 0: none
};

/// No track, where the place of one is expected.
constexpr std::int32_t kNoTrack = -1;

/// A label in consecutive frames. All of them have a voxel with this label.
struct TrackSpan {
  std::int64_t id = 0;
  std::int64_t begin = 0, end = 0;
  std::int32_t parent = kNoTrack;  ///< place in the table

  [[nodiscard]] std::int64_t frames() const { return end - begin + 1; }
  [[nodiscard]] bool has(std::int64_t frame) const { return begin <= frame && frame <= end; }
};

struct TrackTable {
  std::string name;               ///< in messages
  std::vector<TrackSpan> tracks;  ///< by rising id, then frame

  [[nodiscard]] std::int64_t count() const { return std::ssize(tracks); }
  [[nodiscard]] const TrackSpan& at(std::int32_t place) const {
    return tracks[static_cast<std::size_t>(place)];
  }

  /// Returns the places of the children of each track, in rising order. Two or more children are a
  /// division. A single child is the same object after a gap, or after a mistake of the tracker.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> children() const;
};

/// Checks the lines, and finds the parent of each. An id may be used again in later frames: then
/// each line is a track of its own, and a parent is the last track of its id that ended before the
/// child begins. A parent may end any number of frames before its children begin.
/// @param lines  in any order
/// @throws InvalidInput  an id is below 1, frames are below 0, beyond 2^31 - 1 or in the wrong
///                       order, two lines have one id in one frame, or a parent does not exist or
///                       does not end before its child begins.
TrackTable track_table(std::string name, const std::vector<TrackLine>& lines);

/// Reads "label begin end parent" lines, as in man_track.txt and res_track.txt of the Cell Tracking
/// Challenge, or CSV with a line of names, such as our tracks.csv, whose columns id (or label),
/// begin, end and parent are used. Numbers are separated by blanks, tabs or commas. No line is a
/// movie without tracks.
/// @throws InvalidInput  a line is something else.
std::vector<TrackLine> track_lines(std::string_view text, const std::string& name);

/// Reads a file. @throws IoError  and what track_lines and track_table throw.
TrackTable read_tracks(const std::filesystem::path& path);

}  // namespace synthoscope::score
