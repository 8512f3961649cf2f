// SPDX-License-Identifier: MIT
// simulator/timelapse/tracks.hpp — under which labels objects are seen, from when to when.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace synthoscope::simulator {

/// Frames in which one object has a voxel without a break.
struct Track {
  std::int64_t object = 0;
  std::int64_t label = 0;            ///< from 1 on
  std::int64_t begin = 0, end = -1;  ///< first and last frame; end < begin: never seen
  std::int64_t parent = 0;           ///< label of the mother; 0 for none
  [[nodiscard]] bool is_seen() const { return end >= begin; }
};

/// Gives labels. An object has one from its first frame on, and a new one when it is seen again
/// after a frame without a voxel. Labels follow the order of frames, and in a frame that of
/// objects.
class Tracks {
 public:
  /// The next frame. @param objects  numbers of those that are there
  /// @param seen     whether each has a voxel
  /// @param mothers  of each the number of the object that it came of; -1 for none
  /// @throws InvalidSpec  more labels than 16 bits hold.
  void add(const std::vector<std::int64_t>& objects, const std::vector<bool>& seen,
           const std::vector<std::int64_t>& mothers);

  /// The track that an object is on in a frame: the last that had begun, else its first.
  [[nodiscard]] const Track& at(std::int64_t object, std::int64_t frame) const;

  /// The first of an object.
  [[nodiscard]] const Track& first(std::int64_t object) const { return at(object, -1); }

  /// In the order of labels.
  [[nodiscard]] const std::vector<Track>& all() const { return tracks_; }

  /// What so many tracks take at most, in bytes.
  static std::int64_t bytes(std::int64_t tracks);

 private:
  Track& begin_track(std::int64_t object, std::int64_t parent);

  std::vector<Track> tracks_;
  std::vector<std::int32_t> last_, first_;  ///< of each object its places in tracks_; -1
  std::vector<std::int32_t> next_;          ///< of each track the next of its object; -1
  std::int64_t frame_ = 0;
};

}  // namespace synthoscope::simulator
