// SPDX-License-Identifier: MIT
#include "kernels/banks/scaled_tile.hpp"
#include <algorithm>

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kTogether = 512;  // voxels

/// Multiplies all responses by `gain`.
void amplify(VectorLevel level, float gain, const ResponsesOfTile& tile) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    const float by = gain;
    const auto n = static_cast<int>(tile.count);
    for (std::int64_t r = 0; r < tile.responses; ++r) {
      float* const values = tile.first + r * tile.pitch;
      for (int i = 0; i < n; ++i) values[i] *= by;
    }
  });
}

/// Normalises at most kTogether voxels.
void normalise_contrast(VectorLevel level, const ResponsesOfTile& tile) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    float gains[kTogether] = {};
    const auto n = static_cast<int>(tile.count);
    for (std::int64_t r = 0; r < tile.responses; ++r) {
      const float* const values = tile.first + r * tile.pitch;
      for (int i = 0; i < n; ++i) gains[i] += values[i] * values[i];
    }
    for (int i = 0; i < n; ++i) gains[i] = contrast_gain(gains[i]);
    for (std::int64_t r = 0; r < tile.responses; ++r) {
      float* const values = tile.first + r * tile.pitch;
      for (int i = 0; i < n; ++i) values[i] *= gains[i];
    }
  });
}

}  // namespace

void scale_tile(VectorLevel level, const ResponseScale& scale, const ResponsesOfTile& tile) {
  if (scale.gain != 1) amplify(level, scale.gain, tile);
  if (!scale.normalises_contrast) return;
  for (std::int64_t i = 0; i < tile.count; i += kTogether)
    normalise_contrast(
        level, {tile.first + i, std::min(kTogether, tile.count - i), tile.pitch, tile.responses});
}

}  // namespace synthoscope::kernels
