// SPDX-License-Identifier: MIT
// kernels/device/resample.cuh — an image looked up at the coordinates of an affine map, voxel by
// voxel: one thread makes some of them, and finds each by itself.
#pragma once
#include <type_traits>
#include "kernels/body/interpolated_voxel.hpp"
#include "kernels/body/outside.hpp"
#include "kernels/device/resample_arguments.hpp"
#include "kernels/device/window.cuh"

namespace synthoscope::kernels::device {

/// The nearest voxel, as it is.
struct NearestTap {
  static constexpr int kTaps = 1;
};

/// What of a coordinate the voxels of a row, or of several, have in common.
inline double row_part(const LookupAxis& axis, double z, double y) {
  return z * axis.a[0] + y * axis.a[1];
}
inline double coordinate(const LookupAxis& axis, double row, double column) {
  return (row + column) + axis.a[3];
}

/// Where a voxel is taken from along an axis.
struct FoundTap {
  unsigned at;  ///< in what is safe, or beyond
  float t;      ///< c - whole_below(c)
};

/// @tparam kIn  voxels that count: 1 where coordinates are whole, or the nearest is taken
template <class Taps, int kIn>
inline FoundTap found_tap(const LookupAxis& axis, double c) {
  if constexpr (Taps::kTaps == 1) {
    return {static_cast<unsigned>(__double2loint(__dadd_rd(c + 0.5, axis.rounder))), 0};
  } else {
    // Rounded down beside kWholeRounder, a number is whole_below itself, in its last bits
    const double there = __dadd_rd(c, axis.rounder);
    const unsigned at = static_cast<unsigned>(__double2loint(there));
    if constexpr (kIn == 1) return {at, 0};
    return {at, static_cast<float>(c - (there - axis.rounder))};
  }
}

/// Weights of an axis whose voxels count; one counts whole.
template <class Taps, int kIn>
struct FoundWeights {
  float w[kIn];
  explicit FoundWeights(float t) {
    if constexpr (kIn > 1) Taps::weigh(t, w);
  }
  /// The sum of values in their order.
  template <class Values>
  float sum(const Values& value) const {
    if constexpr (kIn == 1) {
      return value(0);
    } else {
      float sum = w[0] * value(0);
#pragma unroll
      for (int k = 1; k < kIn; ++k) sum = sum + w[k] * value(k);
      return sum;
    }
  }
};

/// A voxel beside a face or outside, whatever stands there.
template <class In, class Taps, int kInZ, int kInY>
__noinline__ float voxel_anywhere(const ResampleArguments& a, double cz, double cy, double cx) {
  const Outside outside = static_cast<Outside>(a.outside);
  const float fill = static_cast<float>(a.fill);
  if (outside == Outside::zero &&
      !(has_value(cz, a.z.image) && has_value(cy, a.y.image) && has_value(cx, a.x.image)))
    return fill;
  const auto along = [&](bool is_whole, const LookupAxis& axis, const HeldAxis& held, double c) {
    return counted_taps<Taps>(is_whole, placed(outside, c, axis.image), axis.shift,
                              boundary_of(outside), held.image, held.origin, held.size);
  };
  const In* const voxels = static_cast<const In*>(a.in.voxels);
  return interpolated(
      along(kInZ == 1, a.z, a.in.z, cz), along(kInY == 1, a.y, a.in.y, cy),
      along(false, a.x, a.in.x, cx), fill, [&](Count z, Count y, Count x) {
        return static_cast<float>(voxels[(z * a.in.y.size + y) * a.in.x.size + x]);
      });
}

/// The nearest voxel in its own type.
template <class In>
struct NearestVoxel {
  bool is_there;
  In value;
};
template <class In>
__noinline__ NearestVoxel<In> nearest_anywhere(const ResampleArguments& a, double cz, double cy,
                                               double cx) {
  const Outside outside = static_cast<Outside>(a.outside);
  const auto along = [&](const LookupAxis& axis, const HeldAxis& held, double c) -> Count {
    const Count at = nearest_voxel(outside, c, axis.image);
    return at == kOutside
               ? kOutside
               : held_index(boundary_of(outside), at, held.image, held.origin, held.size);
  };
  const Count z = along(a.z, a.in.z, cz), y = along(a.y, a.in.y, cy), x = along(a.x, a.in.x, cx);
  if (z == kOutside || y == kOutside || x == kOutside) return {false, In{}};
  return {true, static_cast<const In*>(a.in.voxels)[(z * a.in.y.size + y) * a.in.x.size + x]};
}

/// How a voxel that was found is stored. The nearest stays what it is where its type does.
template <class In, class Out, class Taps>
struct StoredLookup {
  Storing<Out> storing;

  Out of(In nearest) {
    if constexpr (std::is_same_v<In, Out>)
      return nearest;
    else
      return storing.make(static_cast<double>(nearest));
  }
  template <int kInZ, int kInY>
  Out anywhere(const ResampleArguments& a, double cz, double cy, double cx) {
    if constexpr (Taps::kTaps > 1) {
      return storing.make(voxel_anywhere<In, Taps, kInZ, kInY>(a, cz, cy, cx));
    } else {
      const NearestVoxel<In> nearest = nearest_anywhere<In>(a, cz, cy, cx);
      if (nearest.is_there) return of(nearest.value);
      if constexpr (std::is_same_v<In, Out>)
        return static_cast<Out>(a.fill);
      else
        return storing.make(a.fill);
    }
  }
};

/// What the columns that a thread makes add to a coordinate; nothing where it does not depend on x.
template <bool kAlongX, int kColumns>
struct ColumnParts {
  double parts[kAlongX ? kColumns : 1] = {};
  ColumnParts(const LookupAxis& axis, double x, int wide) {
    if constexpr (kAlongX)
#pragma unroll
      for (int k = 0; k < kColumns; ++k) parts[k] = (x + k * wide) * axis.a[2];
  }
  double operator[](int k) const { return parts[kAlongX ? k : 0]; }
};

/// Tiles of a plane, one below the other, and planes are blockIdx.x, tiles side by side blockIdx.y.
/// @tparam kInZ      voxels that count along z: 1 where coordinates are whole
/// @tparam kZAlongX  whether coordinates along z depend on x, too
/// @tparam kWide, kColumns  LookupShape
template <class In, class Out, class Taps, int kInZ, int kInY, bool kZAlongX, bool kYAlongX,
          int kWide, int kColumns>
__global__ void __launch_bounds__(32 * kLookupWarps) resample_pixel(const ResampleArguments a) {
  constexpr int kTall = 32 / kWide, kInX = Taps::kTaps;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const Count plane = blockIdx.x / a.tiles_y, tile = blockIdx.x % a.tiles_y;
  const Count x = static_cast<Count>(blockIdx.y) * (kWide * kColumns) + lane % kWide;
  Count y = (tile * kLookupWarps + warp) * (kTall * a.rows_each) + lane / kWide;
  if (x >= a.out.columns) return;
  const bool has_columns = x + (kColumns - 1) * kWide < a.out.columns;

  const double at_z = static_cast<double>(a.out.z + plane),
               at_x = static_cast<double>(a.out.x + x);
  const ColumnParts<kZAlongX, kColumns> parts_z{a.z, at_x, kWide};
  const ColumnParts<kYAlongX, kColumns> parts_y{a.y, at_x, kWide};
  const ColumnParts<true, kColumns> parts_x{a.x, at_x, kWide};

  const int pitch = static_cast<int>(a.in.x.size);
  const Count pitch_z = a.in.y.size * a.in.x.size;
  const In* const voxels = static_cast<const In*>(a.in.voxels) +
                           (a.z.first * a.in.y.size + a.y.first) * a.in.x.size + a.x.first;
  Out* out = static_cast<Out*>(a.out.voxels) + (plane * a.out.rows + y) * a.out.columns + x;

  StoredLookup<In, Out, Taps> stored;
  double at_y = static_cast<double>(a.out.y + y);
#pragma unroll 1
  for (int row = 0; row < a.rows_each && y < a.out.rows; ++row) {
    const double row_z = row_part(a.z, at_z, at_y), row_y = row_part(a.y, at_z, at_y),
                 row_x = row_part(a.x, at_z, at_y);
    FoundTap z[kColumns], in_y[kColumns], in_x[kColumns];
    bool is_safe = has_columns;
#pragma unroll
    for (int k = 0; k < kColumns; ++k) {
      if (k == 0 || kZAlongX) {
        z[k] = found_tap<Taps, kInZ>(a.z, coordinate(a.z, row_z, parts_z[k]));
        is_safe &= z[k].at < a.z.safe;
      }
      if (k == 0 || kYAlongX) {
        in_y[k] = found_tap<Taps, kInY>(a.y, coordinate(a.y, row_y, parts_y[k]));
        is_safe &= in_y[k].at < a.y.safe;
      }
      in_x[k] = found_tap<Taps, kInX>(a.x, coordinate(a.x, row_x, parts_x[k]));
      is_safe &= in_x[k].at < a.x.safe;
    }
    if (is_safe) {
      const In* of_plane = voxels;
      if constexpr (!kZAlongX) of_plane += z[0].at * pitch_z;
      Out made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const int kz = kZAlongX ? k : 0, ky = kYAlongX ? k : 0;
        const In* from =
            of_plane + (static_cast<int>(in_y[ky].at) * pitch + static_cast<int>(in_x[k].at));
        if constexpr (kZAlongX) from += z[k].at * pitch_z;
        if constexpr (Taps::kTaps == 1) {
          made[k] = stored.of(__ldg(from));
        } else {
          const FoundWeights<Taps, kInZ> by_z{z[kz].t};
          const FoundWeights<Taps, kInY> by_y{in_y[ky].t};
          const FoundWeights<Taps, kInX> by_x{in_x[k].t};
          float p[kInX];
#pragma unroll
          for (int i = 0; i < kInX; ++i)
            p[i] = by_x.w[i] * by_y.sum([&](int j) {
              return by_z.sum([&](int l) {
                return static_cast<float>(__ldg(from + (l * pitch_z + j * pitch + i)));
              });
            });
          made[k] = stored.storing.make(Taps::sum(p));
        }
      }
#pragma unroll
      for (int k = 0; k < kColumns; ++k) out[k * kWide] = made[k];
    } else {
#pragma unroll 1
      for (int k = 0; k < kColumns; ++k) {
        if (x + k * kWide >= a.out.columns) break;
        const double column = at_x + k * kWide;
        out[k * kWide] = stored.template anywhere<kInZ, kInY>(
            a, coordinate(a.z, row_z, column * a.z.a[2]), coordinate(a.y, row_y, column * a.y.a[2]),
            coordinate(a.x, row_x, column * a.x.a[2]));
      }
    }
    y += kTall;
    at_y += kTall;
    out += kTall * a.out.columns;
  }
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
