// SPDX-License-Identifier: MIT
// kernels/device/resample/warp.cuh — an image looked up at the coordinates of a warp, which each
// thread computes where it uses them.
#pragma once
#include "kernels/body/projective.hpp"
#include "kernels/body/thin_plate.hpp"
#include "kernels/device/resample/arguments.hpp"
#include "kernels/device/resample/resample.cuh"

namespace synthoscope::kernels::device {

// Names of kernels are looked up in this namespace
using kernels::Projective;
using kernels::ThinPlate;

/// Finds the coordinates of the voxels x, x + apart, ... of a row of the result, at least for the
/// first `columns`.
template <bool kKeepsPlanes, int kCount>
void find_row(const WarpArguments<Projective>& a, double z, double y, double x, int apart, int,
              CoordinatesOf<kCount>& c) {
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const Coordinate3 one = a.map.at<kKeepsPlanes>(z, y, x + k * apart);
    c.z[k] = one.z;
    c.y[k] = one.y;
    c.x[k] = one.x;
  }
}
template <bool kKeepsPlanes, int kCount>
void find_row(const WarpArguments<ThinPlate>& a, double z, double y, double x, int apart, int,
              CoordinatesOf<kCount>& c) {
  a.map.row<kKeepsPlanes>(z, y, x, apart, c);
}
template <bool kKeepsPlanes, int kCount>
void find_row(const WarpArguments<DisplacementBox>& a, double z, double y, double x, int apart,
              int columns, CoordinatesOf<kCount>& c) {
  const MadeVoxels& out = a.lookup.out;
  const Count plane = static_cast<Count>(z) - out.z, row = static_cast<Count>(y) - out.y;
  const Count first = (plane * out.rows + row) * out.columns + (static_cast<Count>(x) - out.x);
  const auto displaced = [&](double voxel, const float* by, int k) {
    return k < columns ? voxel + static_cast<double>(__ldg(by + first + k * apart)) : voxel;
  };
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    c.z[k] = kKeepsPlanes ? z : displaced(z, a.map.z, k);
    c.y[k] = displaced(y, a.map.y, k);
    c.x[k] = displaced(x + k * apart, a.map.x, k);
  }
}

/// As found_tap, for any coordinate: one that is 2^32 voxels or more before or after the safe
/// range, or is NaN, is found beyond it.
template <class Taps, int kIn>
FoundTap found_tap_anywhere(const LookupAxis& axis, double c) {
  const FoundTap found = found_tap<Taps, kIn>(axis, c);
  // The upper half of all doubles from kWholeRounder to 2^32 above it
  constexpr int kUpper = 0x43380000;
  const double there = __dadd_rd(Taps::kTaps == 1 ? c + 0.5 : c, axis.rounder);
  return {__double2hiint(there) == kUpper ? found.at : ~0U, found.t};
}

/// Makes all results voxel by voxel.
/// @tparam kKeepsPlanes  WholeAxes::z of the map; the others as in resample_pixel
template <class In, class Out, class Taps, int kInZ, int kInY, class Map, bool kKeepsPlanes,
          int kWide, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_warp(const __grid_constant__ WarpArguments<Map> warp) {
  const ResampleArguments& a = warp.lookup;
  const LookupStrip<Out> s = lookup_strip<Out, kWide, kColumns>(a);
  const LookupVoxels<In, false> voxels = held_lookup<In>(a);
  StoredLookup<In, Out, Taps> stored;
  unsigned beside = 0;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    CoordinatesOf<kColumns> c;
    find_row<kKeepsPlanes>(warp, s.z, s.y + row * s.tall, s.x, kWide, s.columns, c);
    FoundTap z[kColumns], y[kColumns], x[kColumns];
    unsigned safe = 0;
#pragma unroll
    for (int k = 0; k < kColumns; ++k) {
      z[k] = found_tap_anywhere<Taps, kInZ>(a.z, c.z[k]);
      y[k] = found_tap_anywhere<Taps, kInY>(a.y, c.y[k]);
      x[k] = found_tap_anywhere<Taps, Taps::kTaps>(a.x, c.x[k]);
      if (z[k].at < a.z.safe && y[k].at < a.y.safe && x[k].at < a.x.safe) safe |= 1U << k;
    }
    const auto value = [&](int k) {
      return voxels.template value<Taps, kInZ, kInY>(voxels.of_plane(z[k]), z[k], y[k], x[k]);
    };
    Out* const to = s.out + row * s.pitch;
    if (s.columns == kColumns && safe == (1U << kColumns) - 1) {
      typename StoredLookup<In, Out, Taps>::Made made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) made[k] = value(k);
      stored.template to_columns<kColumns>(made, to, kWide);
    } else {
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        if (k >= s.columns) break;
        if (safe >> k & 1)
          to[k * kWide] = stored.of(value(k));
        else if (is_filled(a, c.z[k], c.y[k], c.x[k]))
          to[k * kWide] = stored.filled(a);
        else
          beside |= 1U << (row * kColumns + k);
      }
    }
  }
  for (; beside != 0; beside &= beside - 1) {
    const int number = __ffs(static_cast<int>(beside)) - 1;
    const int row = number / kColumns, k = number % kColumns;
    CoordinatesOf<1> c;
    find_row<kKeepsPlanes>(warp, s.z, s.y + row * s.tall, s.x + k * kWide, 0, 1, c);
    s.out[row * s.pitch + k * kWide] =
        stored.template anywhere<kInZ, kInY>(a, c.z[0], c.y[0], c.x[0]);
  }
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
