// SPDX-License-Identifier: MIT
// kernels/device/resample/texture.cuh — an image looked up by the texture units of a device, whose
// weights have 8 fractional bits.
#pragma once
#include "kernels/device/resample/resample.cuh"

namespace synthoscope::kernels::device {

/// Textures give integers as fractions of the largest one; this is that integer.
template <class In>
inline constexpr float kTextureScale = 1;
template <>
inline constexpr float kTextureScale<unsigned char> = 255;
template <>
inline constexpr float kTextureScale<unsigned short> = 65535;

/// The held voxels as a texture, in which centres of voxels are at halves.
template <class In>
struct TextureVoxels {
  cudaTextureObject_t texture;
  bool is_plane;

  struct AnyPlane {};
  [[nodiscard]] AnyPlane of_plane(const FoundTap&) const { return {}; }

  template <class Taps, int kInZ, int kInY>
  float value(AnyPlane, const FoundTap& z, const FoundTap& y, const FoundTap& x) const {
    static_assert(std::is_same_v<Taps, LinearTaps>);
    // Keeps as many fractional bits as a float of this size has
    const auto place = [](const FoundTap& found) {
      return static_cast<float>(found.at) + (found.t + 0.5F);
    };
    return kTextureScale<In> * (is_plane ? tex2D<float>(texture, place(x), place(y))
                                         : tex3D<float>(texture, place(x), place(y), place(z)));
  }
};

/// As resample_pixel, for LinearTaps; voxels near faces are made as there.
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_texture(const __grid_constant__ ResampleArguments a, cudaTextureObject_t texture,
                     bool is_plane) {
  const LookupStrip<Out> strip = lookup_strip<Out, kWide, kColumns>(a);
  StoredLookup<In, Out, Taps> stored;
  const unsigned beside =
      look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
          a, a.z, a.y, a.x, strip, TextureVoxels<In>{texture, is_plane}, stored);
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide, kColumns>(a, strip, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
