// SPDX-License-Identifier: MIT
// fit/objects/label_moments.hpp — sums over the voxels of each label, in one pass.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/volume/box.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Sums over the voxels of a label. Positions are counted in voxels from `origin`, the first voxel
/// of the label, so that sums of squares keep their digits.
struct LabelSums {
  std::uint32_t label = 0;
  std::int64_t voxels = 0;
  Index3 origin, first, last;                         ///< `first` and `last` along each axis
  std::array<double, 3> sum = {};                     ///< of z, y, x
  std::array<std::array<double, 3>, 3> product = {};  ///< of pairs of them; z first
  double counts = 0;

  [[nodiscard]] Box3 box() const {
    return {first, {last.z - first.z + 1, last.y - first.y + 1, last.x - first.x + 1}};
  }
};

/// Returns the sums of all labels above 0, by ascending label.
std::vector<LabelSums> label_sums(const LabelledImage& image, const RunContext& context);

}  // namespace synthoscope::fit
