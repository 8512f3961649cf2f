// SPDX-License-Identifier: MIT
// fit/objects/split_by_distance.hpp — divides touching bodies at their waists.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/base/grid.hpp"

namespace synthoscope::fit {

/// Returns labels of the parts of a mask. Voxels are taken from the one deepest inside to the
/// border; a body that begins at a peak of the depth keeps its own label if its peak is more than 7
/// % higher than the saddle over which it reaches a deeper one. Otherwise both are one.
/// @param inside  1 or 0 for each voxel of the grid, x fastest
/// @param depth_um  distance to the border, smoothed
/// @source  watershed by decreasing height with merging by dynamics: Grimaud, Proc. SPIE 1769
///          (1992) 292, doi:10.1117/12.60650.
Volume<std::uint32_t> split_by_distance(const std::vector<std::uint8_t>& inside,
                                        const std::vector<float>& depth_um,
                                        const simulator::Grid& grid);

}  // namespace synthoscope::fit
