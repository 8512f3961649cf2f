// SPDX-License-Identifier: MIT
// kernels/device/resample_texture.cuh — an image looked up by the texture units of a device, whose
// weights have 8 bits behind the point.
#pragma once
#include "kernels/device/resample.cuh"

namespace synthoscope::kernels::device {

/// Of integers shares of the largest one are read.
template <class In>
inline constexpr float kTextureScale = 1;
template <>
inline constexpr float kTextureScale<unsigned char> = 255;
template <>
inline constexpr float kTextureScale<unsigned short> = 65535;

/// What is held, as a texture.
struct TextureVoxels {
  cudaTextureObject_t texture;
  float scale;

  [[nodiscard]] float at(bool is_plane, float z, float y, float x) const {
    return scale * (is_plane ? tex2D<float>(texture, x, y) : tex3D<float>(texture, x, y, z));
  }
};

/// The place of a coordinate, where voxels have their centres at halves. With so many bits as a
/// float has behind the point.
inline float texture_place(const FoundTap& found) {
  return static_cast<float>(found.at) + (found.t + 0.5F);
}

/// As resample_pixel, for LinearTaps; voxels beside faces are its own.
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_texture(const __grid_constant__ ResampleArguments a, cudaTextureObject_t texture) {
  static_assert(std::is_same_v<Taps, LinearTaps>);
  const LookupStrip<Out> s = lookup_strip<Out, kWide, kColumns>(a);
  const TextureVoxels voxels{texture, kTextureScale<In>};
  StoredLookup<In, Out, Taps> stored;
  // Whole coordinates are places, too: their voxel alone counts
  const ColumnParts<kAlongZ, kColumns> columns_z{a.z, s.x, kWide};
  const ColumnParts<kAlongY, kColumns> columns_y{a.y, s.x, kWide};
  const ColumnParts<Along::columns, kColumns> columns_x{a.x, s.x, kWide};
  FoundColumns<Taps, kInZ, kAlongZ, kColumns> z;
  FoundColumns<Taps, kInY, kAlongY, kColumns> y;
  FoundColumns<Taps, 2, Along::columns, kColumns> x;
  unsigned beside = 0;
  Out* to = s.out;
  double at_y = s.y;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    z.find(a.z, row_part(a.z, s.z, at_y), columns_z);
    y.find(a.y, row_part(a.y, s.z, at_y), columns_y);
    x.find(a.x, row_part(a.x, s.z, at_y), columns_x);
    if (s.columns == kColumns && z.are_safe(a.z) && y.are_safe(a.y) && x.are_safe(a.x)) {
      float made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k)
        made[k] = voxels.at(a.in.z.size == 1, texture_place(z[k]), texture_place(y[k]),
                            texture_place(x[k]));
      stored.template to_columns<kColumns>(made, to, kWide);
    } else {
      beside |= 1U << row;
    }
    at_y += s.tall;
    to += s.pitch;
  }
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide>(a, s, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
