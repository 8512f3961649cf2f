// SPDX-License-Identifier: MIT
#include "kernels/resample/columns.hpp"
#include <algorithm>
#include "kernels/lanes/lanes.hpp"
#include "kernels/resample/tap_sums.hpp"

namespace synthoscope::kernels {
namespace {

/// Adds up rows, `apart` elements from one to the next, with the weights of voxel `i`.
template <class Taps, int Count>
SYNTHOSCOPE_INLINE inline void add_rows(const TapWeights<Taps, Count>& weights, int i,
                                        const float* rows, std::int64_t apart, std::int64_t count,
                                        float* to) {
  float* __restrict const out = to;
  for (std::int64_t x = 0; x < count; ++x)
    out[x] =
        weighted_sum(weights, i, [&](int k) SYNTHOSCOPE_INLINE { return rows[k * apart + x]; });
}

}  // namespace

template <class Taps, int InZ, int InY>
void ColumnTile::make(std::int64_t z, float* out) const {
  with_lanes(level_, [&](auto lanes) SYNTHOSCOPE_INLINE {
    constexpr int kLanes = decltype(lanes)::value;
    TapWeights<Taps, InZ> in_z;
    TapWeights<Taps, InY> in_y;
    TapWeights<Taps, Taps::kTaps> in_x;
    std::int32_t first_z[1], first_y[kResampleRow], first_x[kResampleRow];
    const int rows = static_cast<int>(size_.y), count = static_cast<int>(size_.x);
    weigh_axis<kLanes>(at_.z + z, 1, voxels_.origin.z, first_z, in_z);
    weigh_axis<kLanes>(at_.y, rows, voxels_.origin.y, first_y, in_y);
    weigh_axis<kLanes>(at_.x, count, voxels_.origin.x, first_x, in_x);
    bool is_dense = true;
    for (int i = 0; i < count; ++i) is_dense &= first_x[i] == first_x[0] + i;

    // Add up planes, unless there is only one
    const float* plane = voxels_.data + first_z[0] * voxels_.plane;
    std::int64_t pitch = voxels_.pitch;
    if constexpr (InZ > 1) {
      const auto [low, high] = std::minmax_element(first_y, first_y + rows);
      for (std::int64_t y = *low; y < *high + InY; ++y)
        add_rows(in_z, 0, plane + y * pitch, voxels_.plane, held_.x, scratch_ + y * held_.x);
      plane = scratch_;
      pitch = held_.x;
    }
    for (int y = 0; y < rows; ++y) {
      const float* row = plane + first_y[y] * pitch;
      if constexpr (InY > 1) {
        float* const sum = scratch_ + held_.y * held_.x;
        add_rows(in_y, y, row, pitch, held_.x, sum);
        row = sum;
      }
      float* const to = out + y * count;
      if (is_dense) {
        const float* const from = row + first_x[0];
        for (int i = 0; i < count; ++i) {
          float p[Taps::kTaps];
          for (int k = 0; k < Taps::kTaps; ++k) p[k] = in_x.w[k][i] * from[i + k];
          to[i] = Taps::sum(p);
        }
      } else {
        alignas(32) float values[kResampleRow * Taps::kTaps];
        for (int i = 0; i < count; ++i)
          std::memcpy(values + i * Taps::kTaps, row + first_x[i], Taps::kTaps * sizeof(float));
        sum_in_x(in_x, count, values, to);
      }
    }
  });
}

void ColumnTile::plane(std::int64_t z, float* out) const {
  visit_taps(how_, [&](auto kind) {
    using Taps = decltype(kind);
    constexpr int kTaps = Taps::kTaps;
    if (whole_.z && whole_.y)
      make<Taps, 1, 1>(z, out);
    else if (whole_.z)
      make<Taps, 1, kTaps>(z, out);
    else if (whole_.y)
      make<Taps, kTaps, 1>(z, out);
    else
      make<Taps, kTaps, kTaps>(z, out);
  });
}

}  // namespace synthoscope::kernels
