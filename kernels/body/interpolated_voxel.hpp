// SPDX-License-Identifier: MIT
// kernels/body/interpolated_voxel.hpp — the value of an image at one coordinate, by the plain sum
// of the voxels that count: the reference for rows, columns and tiles. Host and device compile this
// file.
#pragma once
#include "kernels/body/held_index.hpp"
#include "kernels/body/interpolation.hpp"

namespace synthoscope::kernels {

/// The voxels that contribute along an axis: where each is held (held_index), and its weight.
template <class Taps>
struct CountedTaps {
  int count = 1;  ///< one, with weight 1, along an axis with whole coordinates
  std::int64_t at[Taps::kTaps] = {};
  float w[Taps::kTaps] = {};
};

/// @param c      placed (body/outside.hpp)
/// @param shift  position of the voxel with coordinate 0
/// @param n      voxels of the axis; [origin, origin + size) are held
template <class Taps>
inline CountedTaps<Taps> counted_taps(bool is_whole, double c, std::int64_t shift,
                                      Boundary boundary, std::int64_t n, std::int64_t origin,
                                      std::int64_t size) {
  CountedTaps<Taps> taps;
  const double below = whole_below(c);
  taps.count = is_whole ? 1 : Taps::kTaps;
  if (!is_whole) Taps::weigh(static_cast<float>(c - below), taps.w);
  const std::int64_t first =
      static_cast<std::int64_t>(below) + shift + (is_whole ? 0 : Taps::kFirst);
  for (int k = 0; k < taps.count; ++k)
    taps.at[k] = held_index(boundary, first + k, n, origin, size);
  return taps;
}

/// Sums along z, then y, then x, each in the order of positions.
/// @param voxel  returns what is held at (z, y, x) as float
/// @param fill   value if any of the three is kOutside
template <class Taps, class Voxel>
inline float interpolated(const CountedTaps<Taps>& in_z, const CountedTaps<Taps>& in_y,
                          const CountedTaps<Taps>& in_x, float fill, const Voxel& voxel) {
  float p[Taps::kTaps];
  for (int i = 0; i < Taps::kTaps; ++i) {
    float in_plane = 0;
    for (int j = 0; j < in_y.count; ++j) {
      float in_column = 0;
      for (int k = 0; k < in_z.count; ++k) {
        const std::int64_t z = in_z.at[k], y = in_y.at[j], x = in_x.at[i];
        const bool is_outside = z == kOutside || y == kOutside || x == kOutside;
        const float value = is_outside ? fill : voxel(z, y, x);
        const float counted = in_z.count == 1 ? value : in_z.w[k] * value;
        in_column = k == 0 ? counted : in_column + counted;
      }
      const float counted = in_y.count == 1 ? in_column : in_y.w[j] * in_column;
      in_plane = j == 0 ? counted : in_plane + counted;
    }
    p[i] = in_x.w[i] * in_plane;
  }
  return Taps::sum(p);
}

}  // namespace synthoscope::kernels
