// SPDX-License-Identifier: MIT
// simulator/world.hpp — world.h5: every object as it was placed, in numbers to build it again from.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "imageio/hdf5_tables.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Gathers the objects of all frames. A group for each class that has objects; every column is a
/// data set of it, described in docs/reference/world.md.
class World {
 public:
  /// Keeps room for the objects of all `frames` frames from the first of each class on.
  World(const PhantomSpec& spec, const Grid& grid, std::int64_t frames);

  /// Adds the objects of `frame`, whose ids go on from `before`.
  void add(std::int64_t frame, std::int64_t before, const Phantom& phantom);

  /// Equal objects and `provenance` give equal bytes.
  /// @throws InvalidSpec  `path` exists. @throws IoError  it cannot be written.
  void write(const std::filesystem::path& path, const std::string& provenance) const;

  /// What the columns hold room for now, in bytes.
  [[nodiscard]] std::int64_t held_bytes() const;

  /// What the objects of `frames` frames take at most, in bytes.
  static std::int64_t bytes(const PhantomSpec& spec, const Grid& grid, std::int64_t frames);

 private:
  std::vector<imageio::Hdf5Table> tables_;  ///< of every class, also without objects
  std::vector<std::int64_t> most_rows_;     ///< of each of them
};

}  // namespace synthoscope::simulator
