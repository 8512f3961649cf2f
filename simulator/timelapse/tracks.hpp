// SPDX-License-Identifier: MIT
// simulator/timelapse/tracks.hpp — the labels under which objects are seen, and in which frames.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace synthoscope::simulator {

/// Consecutive frames in which one object has a voxel.
struct Track {
  std::int64_t object = 0;
  std::int64_t label = 0;            ///< from 1 on
  std::int64_t begin = 0, end = -1;  ///< first and last frame; end < begin: never seen
  std::int64_t parent = 0;           ///< label of the mother; 0 for none
  [[nodiscard]] bool is_seen() const { return end >= begin; }
};

/// The labels of objects. An object has one from its first frame on, and a new one when it is seen
/// again after a frame without a voxel. Labels follow the order of frames and, within a frame, the
/// order of objects.
class Tracks {
 public:
  /// Adds the next frame. @param objects  numbers of its objects
  /// @param seen     whether each has a voxel
  /// @param mothers  for each the number of the object that it comes from; -1 for none
  /// @throws InvalidSpec  more labels than 16 bits hold.
  void add(const std::vector<std::int64_t>& objects, const std::vector<bool>& seen,
           const std::vector<std::int64_t>& mothers);

  /// Returns the track of an object in a frame: the last that had begun, otherwise its first.
  [[nodiscard]] const Track& at(std::int64_t object, std::int64_t frame) const;

  /// Returns the first track of an object.
  [[nodiscard]] const Track& first(std::int64_t object) const { return at(object, -1); }

  /// Returns all tracks, in the order of labels.
  [[nodiscard]] const std::vector<Track>& all() const { return tracks_; }

  /// Returns the bytes that `tracks` tracks need at most.
  static std::int64_t bytes(std::int64_t tracks);

 private:
  Track& begin_track(std::int64_t object, std::int64_t parent);

  std::vector<Track> tracks_;
  std::vector<std::int32_t> last_, first_;  ///< indices in tracks_ for each object; -1 for none
  std::vector<std::int32_t> next_;  ///< next track of the same object, for each track; -1 for none
  std::int64_t frame_ = 0;
};

}  // namespace synthoscope::simulator
