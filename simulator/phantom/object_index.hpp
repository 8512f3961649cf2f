// SPDX-License-Identifier: MIT
// simulator/phantom/object_index.hpp — finds the objects, and the pieces of strands, that can touch
// a voxel or a plane.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/box.hpp"
#include "simulator/phantom/geometry/cube_lists.hpp"

namespace synthoscope::simulator {

/// Returns the voxels of `box` as a range; coordinates must fit into 31 bits.
VoxelRange range_of(const Box3& box);

/// Returns the voxels that are in both.
VoxelRange intersection(const VoxelRange& a, const VoxelRange& b);

/// Returns the smallest range that contains both; an empty one is ignored.
VoxelRange hull(const VoxelRange& a, const VoxelRange& b);

/// Lists of items by cubes of voxels. Immutable; reads are thread-safe.
class CubeIndex {
 public:
  CubeIndex() = default;

  /// Indexes `count` items in a grid of `extent`; item i can touch the voxels of `range(i)`. Cubes
  /// have edges of 2^fewest_bits or more and are as small as the limits on cubes and list entries
  /// allow.
  template <class Range>
  CubeIndex(const Extent3& extent, int fewest_bits, std::int64_t count, Range&& range);

  /// Returns lists that refer to the arrays of this index.
  [[nodiscard]] CubeLists lists() const {
    CubeLists lists = figures_;
    lists.starts = starts_.data();
    lists.ids = ids_.data();
    return lists;
  }
  [[nodiscard]] const std::vector<std::int64_t>& starts() const { return starts_; }
  [[nodiscard]] const std::vector<std::int32_t>& ids() const { return ids_; }
  [[nodiscard]] std::int64_t bytes() const;

  /// Returns an upper bound of the bytes for `count` items.
  static std::int64_t bytes(const Extent3& extent, int fewest_bits, std::int64_t count);

 private:
  /// The cubes that a range touches, along each axis.
  struct Cubes {
    std::int64_t begin[3] = {}, end[3] = {};
    Cubes(const VoxelRange& range, int bits) {
      if (range.empty()) return;
      for (int axis = 0; axis < 3; ++axis) {
        begin[axis] = range.begin[axis] >> bits;
        end[axis] = ((range.end[axis] - 1) >> bits) + 1;
      }
    }
    [[nodiscard]] std::int64_t count() const {
      return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
    }
  };
  template <class Visit>
  void for_each(const Cubes& cubes, Visit&& visit) const {
    for (std::int64_t z = cubes.begin[0]; z < cubes.end[0]; ++z)
      for (std::int64_t y = cubes.begin[1]; y < cubes.end[1]; ++y)
        for (std::int64_t x = cubes.begin[2]; x < cubes.end[2]; ++x)
          visit(static_cast<std::size_t>((z * figures_.cubes_y + y) * figures_.cubes_x + x));
  }
  std::int64_t lay_out_cubes(const Extent3& extent, int bits);  ///< @returns the number of cubes
  [[nodiscard]] static bool is_small_enough(std::int64_t cubes, std::int64_t places);
  void begin_lists(std::int64_t places);
  void end_lists();

  CubeLists figures_;
  std::vector<std::int64_t> starts_;
  std::vector<std::int32_t> ids_;
};

template <class Range>
CubeIndex::CubeIndex(const Extent3& extent, int fewest_bits, std::int64_t count, Range&& range) {
  std::int64_t places = 0;
  for (int bits = fewest_bits;; ++bits) {
    const std::int64_t cubes = lay_out_cubes(extent, bits);
    places = 0;
    for (std::int64_t i = 0; i < count; ++i) places += Cubes{range(i), bits}.count();
    if (!is_small_enough(cubes, places)) continue;
    starts_.assign(static_cast<std::size_t>(cubes) + 1, 0);
    break;
  }
  for (std::int64_t i = 0; i < count; ++i)
    for_each({range(i), figures_.cube_bits}, [&](std::size_t cube) { ++starts_[cube + 1]; });
  begin_lists(places);
  // Every start moves to the end of its cube's list, where the next list starts
  for (std::int64_t i = 0; i < count; ++i)
    for_each({range(i), figures_.cube_bits}, [&](std::size_t cube) {
      ids_[static_cast<std::size_t>(starts_[cube]++)] = static_cast<std::int32_t>(i);
    });
  end_lists();
}

struct Phantom;

/// Objects sorted by where they begin along z, so that a box need not test all of them. Immutable;
/// reads are thread-safe. Keeps no reference to the phantom.
class ObjectIndex {
 public:
  explicit ObjectIndex(const Phantom& phantom);

  /// Returns the ids of the objects that can touch a voxel of `box`, ascending: none that does is
  /// missing.
  [[nodiscard]] std::vector<std::int64_t> near(const Box3& box) const;

  /// Bytes per object, including its place in an answer.
  static constexpr std::int64_t kBytesPerObject = 32;

 private:
  struct Entry {
    double low_um = 0, high_um = 0;
    std::int64_t id = 0;
  };
  double pitch_um_, deepest_um_ = 0;
  std::vector<Entry> entries_;  ///< by low_um
};

}  // namespace synthoscope::simulator
