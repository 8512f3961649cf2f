// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/reach.hpp — which voxels an object can touch, and which boxes touch
// each other.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>
#include "core/base/units.hpp"
#include "core/volume/box.hpp"
#include "simulator/phantom/geometry/body.hpp"

namespace synthoscope::simulator {

/// Returns the voxels of `box` that an object within `bounds` can reach, and one more on each side
/// against rounding.
Box3 voxels_reached(const Bounds& bounds, const VoxelSize& pitch, const Box3& box);

/// Boxes in cubes of one size, chosen so that a box lies in few of them.
class NearBoxes {
 public:
  explicit NearBoxes(const std::vector<Bounds>& boxes);

  /// Returns the numbers of the other boxes that touch box `number`, ascending.
  /// @param looks  grows by the number of boxes that were compared with it. If all n boxes lie in
  ///               one place, that is n for each.
  [[nodiscard]] std::vector<std::int32_t> of(std::int32_t number, std::int64_t& looks) const;

  /// Returns an upper bound of the bytes for so many boxes.
  static std::int64_t bytes(std::int64_t boxes);

 private:
  template <class Visit>
  void for_each_cube(const Bounds& box, Visit&& visit) const;

  const std::vector<Bounds>& boxes_;
  double cube_um_ = 1;
  std::vector<std::pair<std::uint64_t, std::int32_t>> in_cubes_;  ///< by cube, then by number
};

}  // namespace synthoscope::simulator
