// SPDX-License-Identifier: MIT
// simulator/world/world.hpp — world.h5: every object as it was placed, in numbers from which it can
// be rebuilt.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/hdf5/tables.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

/// What a world may have to hold: so many independent frames, or the objects of a movie once, with
/// their poses and tracks.
struct WorldSize {
  PhantomSpec spec;
  Grid grid;
  std::int64_t frames = 1;
  std::int64_t movie_frames = 0, nucleus_poses = 0, cell_poses = 0, tracks = 0;

  static WorldSize of(const SceneSpec& scene);
};

/// The objects of all frames, in tables: a group for each class that has objects. Every column is a
/// data set of it, described in docs/reference/world.md.
class World {
 public:
  /// Allocates all rows of a class with its first object.
  explicit World(const WorldSize& size);

  /// Adds the objects of an independent frame.
  void add(std::int64_t frame, const std::vector<std::uint16_t>& labels, const Phantom& phantom);

  /// Adds every object of a movie once, under the first of its labels, as it was drawn; then its
  /// poses, all tracks, and the table of frames.
  void add(const Movie& movie);

  /// Writes the file. Equal objects and `provenance` give equal bytes.
  /// @throws InvalidSpec  `path` exists. @throws IoError  it cannot be written.
  void write(const std::filesystem::path& path, const std::string& provenance) const;

  /// Returns the bytes that the columns have allocated now.
  [[nodiscard]] std::int64_t held_bytes() const;

  /// Returns the most bytes that it allocates.
  static std::int64_t bytes(const WorldSize& size);

 private:
  std::vector<imageio::Hdf5Table> tables_;  ///< of every class, also without objects
  std::vector<std::int64_t> most_rows_;     ///< of each table
};

}  // namespace synthoscope::simulator
