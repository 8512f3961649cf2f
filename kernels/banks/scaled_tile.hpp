// SPDX-License-Identifier: MIT
// kernels/banks/scaled_tile.hpp — turns responses of a bank of filters to the voxels of a tile into
// features.
#pragma once
#include <cstdint>
#include "core/vector/vector_level.hpp"
#include "kernels/body/scaled_responses.hpp"

namespace synthoscope::kernels {

/// Responses to a tile: response r of voxel i is first[r * pitch + i].
struct ResponsesOfTile {
  float* first;
  std::int64_t count, pitch, responses;
};

/// @param tile  with all responses if contrast is normalised
void scale_tile(VectorLevel level, const ResponseScale& scale, const ResponsesOfTile& tile);

}  // namespace synthoscope::kernels
