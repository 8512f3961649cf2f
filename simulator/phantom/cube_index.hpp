// SPDX-License-Identifier: MIT
// simulator/phantom/cube_index.hpp — finds what can touch a voxel without asking all there is.
#pragma once
#include <cstdint>
#include <vector>
#include "core/volume/box.hpp"
#include "simulator/phantom/cube_lists.hpp"

namespace synthoscope::simulator {

/// The voxels of `box` as a range; its edges fit 31 bits.
VoxelRange range_of(const Box3& box);

/// What both hold.
VoxelRange intersection(const VoxelRange& a, const VoxelRange& b);

/// The smallest that holds both; an empty one counts for nothing.
VoxelRange hull(const VoxelRange& a, const VoxelRange& b);

/// Lists of things by cubes of voxels. Immutable; reads are thread-safe.
class CubeIndex {
 public:
  CubeIndex() = default;

  /// Of `count` things, of which thing i can touch the voxels of `range(i)`, in a grid of `extent`.
  /// Cubes are as small as the number of places that things take in them allows, with edges of
  /// 2^fewest_bits or more.
  template <class Range>
  CubeIndex(const Extent3& extent, int fewest_bits, std::int64_t count, Range&& range);

  /// Of the arrays here.
  [[nodiscard]] CubeLists lists() const {
    CubeLists lists = figures_;
    lists.starts = starts_.data();
    lists.ids = ids_.data();
    return lists;
  }
  [[nodiscard]] const std::vector<std::int64_t>& starts() const { return starts_; }
  [[nodiscard]] const std::vector<std::int32_t>& ids() const { return ids_; }
  [[nodiscard]] std::int64_t bytes() const;

  /// At least what `count` things take, in bytes.
  static std::int64_t bytes(const Extent3& extent, int fewest_bits, std::int64_t count);

 private:
  /// Along each axis, the cubes that a range lies in.
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
  std::int64_t lay_out_cubes(const Extent3& extent, int bits);  ///< @returns their number
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
  // Every start moves to the end of its cube, which is where the next one starts
  for (std::int64_t i = 0; i < count; ++i)
    for_each({range(i), figures_.cube_bits}, [&](std::size_t cube) {
      ids_[static_cast<std::size_t>(starts_[cube]++)] = static_cast<std::int32_t>(i);
    });
  end_lists();
}

}  // namespace synthoscope::simulator
