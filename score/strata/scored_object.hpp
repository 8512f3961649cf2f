// SPDX-License-Identifier: MIT
// score/strata/scored_object.hpp — an object, what is known of it, and whether it was found.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "score/labels/overlap.hpp"

namespace synthoscope::score {

/// A true object or a result. Lengths are in micrometres; in voxels if the size of voxels is not
/// known.
struct ScoredObject {
  std::size_t set = 0;  ///< number of its data set, where several are scored
  std::int64_t frame = 0, id = 0;
  Index3 low, high;    ///< its first and last voxel along each axis
  Point3 centroid;     ///< from the grid's corner
  double volume = 0;   ///< cubic micrometres; of an image of one plane square micrometres
  double nearest = 0;  ///< distance of its centroid to the nearest other one; NaN if it is alone
  bool touches_border = false;
  std::optional<double> snr;  ///< signal-to-noise ratio; of a simulated truth only
  std::int64_t partner = 0;   ///< id of its match at 0.5; 0: it has none
  double iou = 0;             ///< with its match; 0 without one

  [[nodiscard]] bool is_found() const { return partner != 0; }
};

/// Which objects are scored.
struct Selection {
  bool ignore_border = false;  ///< leaves out objects that touch the border of the image
  double min_volume = 0;       ///< leaves out smaller objects; in the unit of ScoredObject::volume
};

/// Returns the table without the true objects that the selection leaves out. A result is left out
/// with the true object that it shares the most voxels with; one that shares none is left out by
/// the selection itself.
OverlapTable selected(const OverlapTable& table, const Selection& selection,
                      const std::optional<VoxelSize>& pitch);

/// Returns the true objects, or the results, of one image with their matches at 0.5.
/// @param pitch  nothing: the size of voxels is not known
std::vector<ScoredObject> scored_truth(const OverlapTable& table, std::int64_t frame,
                                       const std::optional<VoxelSize>& pitch);
std::vector<ScoredObject> scored_results(const OverlapTable& table, std::int64_t frame,
                                         const std::optional<VoxelSize>& pitch);

}  // namespace synthoscope::score
