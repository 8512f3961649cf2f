// SPDX-License-Identifier: MIT
// fit/objects/half_height.hpp — borders of objects where their light has half of its height.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/memory_stream.hpp"

namespace synthoscope::fit {

/// Returns 1 for each voxel of a label that is brighter than half way between the background, the
/// median of all voxels without a label, and the level of its label: so the halo of a bright object
/// does not count. The level is the median of a label, or that of its bright part if it has two
/// clearly different ones, as a nucleus in its cell.
/// @param field   smoothed counts  @param labels  of the same extent; 0 is background
std::vector<std::uint8_t> above_half_height(const std::vector<float>& field,
                                            const Volume<std::uint32_t>& labels);

/// Returns the level of an object from its values: their median, or that of those above Otsu's
/// threshold if the two classes make more than three quarters of the variance. (Those of evenly
/// distributed values make three quarters, of normal ones 2 / pi.) @pre there are values
double level_of_object(std::vector<double> values);

}  // namespace synthoscope::fit
