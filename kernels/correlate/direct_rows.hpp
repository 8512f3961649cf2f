// SPDX-License-Identifier: MIT
// kernels/correlate/direct_rows.hpp — the inner loops of direct correlation: rows of results share
// their voxels while these are in registers.
#pragma once
#include <cstdint>
#include <span>
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {

/// A part of a stencil, as half-open ranges. Its products are summed consecutively before they are
/// added to the sums of other parts.
struct TapBlock {
  std::int64_t z0, z1, y0, y1, x0, x1;
};

/// Weights in z, y, x order, with `rows` times `columns` in a plane.
struct DirectTaps {
  const float* weights;
  std::int64_t rows, columns;
  std::span<const TapBlock> blocks;
};

/// Floats of a tile, from the one under the first weight of the first result.
struct DirectInput {
  const float* first;
  std::int64_t pitch, plane;  ///< floats from row to row and from plane to plane
};

/// sums[r] += products of a row of voxels with the row of weights that applies to it for result row
/// r, kFirst <= r < kLast. `weights` is the row of weights for result row 0.
template <int kLanes, int kFirst, int kLast, int kRows, int kVectors>
SYNTHOSCOPE_INLINE inline void add_row_of_products(
    const float* voxels, const float* weights, std::int64_t columns, std::int64_t x0,
    std::int64_t x1, typename Lanes<kLanes>::Vector (&sums)[kRows][kVectors]) {
  using Vector = typename Lanes<kLanes>::Vector;
  using Unaligned = typename Lanes<kLanes>::Unaligned;
  for (std::int64_t x = x0; x < x1; ++x) {
    Vector here[kVectors];
    for (int v = 0; v < kVectors; ++v)
      here[v] = *reinterpret_cast<const Unaligned*>(voxels + x + v * kLanes);
    for (int r = kFirst; r < kLast; ++r) {
      const float weight = weights[x - r * columns];
      for (int v = 0; v < kVectors; ++v) sums[r][v] += weight * here[v];
    }
  }
}

/// Adds the products of one plane of weights: rows y0 to y1, at least kRows of them.
template <int kLanes, int kRows, int kVectors>
SYNTHOSCOPE_INLINE inline void add_plane_of_products(
    const float* voxels, std::int64_t pitch, const float* weights, std::int64_t columns,
    const TapBlock& b, typename Lanes<kLanes>::Vector (&sums)[kRows][kVectors]) {
  const auto add = [&]<int kFirst, int kLast>(std::int64_t y) SYNTHOSCOPE_INLINE {
    add_row_of_products<kLanes, kFirst, kLast>(voxels + y * pitch, weights + y * columns, columns,
                                               b.x0, b.x1, sums);
  };
  // The first row of weights of the last result row is kRows - 1 rows below that of the first
  if constexpr (kRows > 1) add.template operator()<0, 1>(b.y0);
  if constexpr (kRows > 2) add.template operator()<0, 2>(b.y0 + 1);
  if constexpr (kRows > 3) add.template operator()<0, 3>(b.y0 + 2);
  static_assert(kRows <= 4);
  for (std::int64_t y = b.y0 + kRows - 1; y < b.y1; ++y) add.template operator()<0, kRows>(y);
  if constexpr (kRows > 1) add.template operator()<1, kRows>(b.y1);
  if constexpr (kRows > 2) add.template operator()<2, kRows>(b.y1 + 1);
  if constexpr (kRows > 3) add.template operator()<3, kRows>(b.y1 + 2);
}

/// Makes `width` results, rounded up to kVectors vectors, of each of kRows rows.
template <int kLanes, int kRows, int kVectors>
SYNTHOSCOPE_INLINE inline void correlate_rows(const DirectTaps& taps, const DirectInput& in,
                                              std::int64_t width, float* out,
                                              std::int64_t out_pitch) {
  using Vector = typename Lanes<kLanes>::Vector;
  using Unaligned = typename Lanes<kLanes>::Unaligned;
  for (std::int64_t x = 0; x < width; x += kVectors * kLanes) {
    const auto add = [&](const TapBlock& block, Vector(&sums)[kRows][kVectors]) SYNTHOSCOPE_INLINE {
      for (std::int64_t z = block.z0; z < block.z1; ++z)
        add_plane_of_products<kLanes, kRows, kVectors>(in.first + z * in.plane + x, in.pitch,
                                                       taps.weights + z * taps.rows * taps.columns,
                                                       taps.columns, block, sums);
    };
    // Few weights have one block, whose sums then use all registers
    Vector total[kRows][kVectors] = {};
    add(taps.blocks.front(), total);
    for (const TapBlock& block : taps.blocks.subspan(1)) {
      Vector sums[kRows][kVectors] = {};
      add(block, sums);
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v) total[r][v] += sums[r][v];
    }
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        *reinterpret_cast<Unaligned*>(out + r * out_pitch + x + v * kLanes) = total[r][v];
  }
}

}  // namespace synthoscope::kernels
