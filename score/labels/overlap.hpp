// SPDX-License-Identifier: MIT
// score/labels/overlap.hpp — how many voxels each true object shares with each result: the table
// from which all scores of labels follow.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::score {

/// An object of a label image: all voxels of one id other than 0.
struct LabelledObject {
  std::int64_t id = 0;                           ///< may be negative
  std::int64_t voxels = 0;                       ///< at least 1
  std::int64_t sum_z = 0, sum_y = 0, sum_x = 0;  ///< of the voxels' indices
  Index3 low, high;                              ///< its first and last voxel along each axis

  /// Returns the mean index of its voxels along an axis, whose sum is given.
  [[nodiscard]] double mean(std::int64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(voxels);
  }
  /// Returns whether a voxel lies in an outermost layer of an axis longer than 1.
  [[nodiscard]] bool touches_border(const Extent3& image) const;
};

/// Voxels that a true object and a result share.
struct Overlap {
  std::size_t truth = 0, result = 0;  ///< places in the lists of objects
  std::int64_t voxels = 0;            ///< at least 1
};

struct OverlapTable {
  Extent3 extent;
  std::vector<LabelledObject> truth, results;  ///< by rising id
  std::vector<Overlap> overlaps;               ///< by rising truth, then result
  Reservation counted;                         ///< of all of these

  /// Returns intersection over union.
  [[nodiscard]] double iou(const Overlap& overlap) const {
    const std::int64_t either =
        truth[overlap.truth].voxels + results[overlap.result].voxels - overlap.voxels;
    return static_cast<double>(overlap.voxels) / static_cast<double>(either);
  }
};

/// A label image, and its name in messages.
struct LabelImage {
  Source& voxels;  ///< of any type
  std::string name;
};

/// Reads both images once. All numbers are counts, so that they do not depend on threads.
/// @throws InvalidSpec   the images differ in size.
/// @throws InvalidInput  a voxel is no whole number, or beyond 2^53.
/// @throws PlanError     the memory has no room.  @throws Interrupted, and what the sources throw
OverlapTable overlap_of(const LabelImage& truth, const LabelImage& result,
                        const RunContext& context);

}  // namespace synthoscope::score
