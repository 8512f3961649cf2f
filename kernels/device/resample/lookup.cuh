// SPDX-License-Identifier: MIT
// kernels/device/resample/lookup.cuh — finds where the coordinates of an affine map lie in the held
// part of an image, and sums the voxels that count there.
#pragma once
#include "kernels/body/interpolation.hpp"
#include "kernels/device/resample/arguments.hpp"

namespace synthoscope::kernels::device {

// Names of kernels are looked up in this namespace
using kernels::CubicTaps;
using kernels::LanczosTaps;
using kernels::LinearTaps;

/// The nearest voxel, unchanged.
struct NearestTap {
  static constexpr int kTaps = 1;
};

/// Returns the part of a coordinate that the voxels of a row, or of several rows, share.
inline double row_part(const LookupAxis& axis, double z, double y) {
  return z * axis.a[0] + y * axis.a[1];
}
inline double coordinate(const LookupAxis& axis, double row, double column) {
  return (row + column) + axis.a[3];
}

/// Where a voxel is read along an axis.
struct FoundTap {
  unsigned at;  ///< index among safe voxels, or a number beyond them
  float t;      ///< c - whole_below(c)
};

/// Finds a coordinate along an axis.
/// @tparam kIn  voxels that count: 1 if coordinates are whole, or the nearest voxel is looked up
template <class Taps, int kIn>
inline FoundTap found_tap(const LookupAxis& axis, double c) {
  if constexpr (Taps::kTaps == 1) {
    return {static_cast<unsigned>(__double2loint(__dadd_rd(c + 0.5, axis.rounder))), 0};
  } else {
    // Doubles near kWholeRounder are whole, so rounding down leaves whole_below in the last bits
    const double there = __dadd_rd(c, axis.rounder);
    const unsigned at = static_cast<unsigned>(__double2loint(there));
    if constexpr (kIn == 1) return {at, 0};
    return {at, static_cast<float>(c - (there - axis.rounder))};
  }
}

/// Weights of the voxels that count along an axis; a single one has weight 1.
template <class Taps, int kIn>
struct FoundWeights {
  float w[kIn];
  FoundWeights() = default;
  explicit FoundWeights(float t) {
    if constexpr (kIn > 1) Taps::weigh(t, w);
  }
  /// Returns the weighted sum of values, in their order.
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

/// What the columns of a thread add to a coordinate.
template <Along kAlong, int kColumns>
struct ColumnParts {
  double parts[kAlong == Along::columns ? kColumns : 1] = {};
  ColumnParts(const LookupAxis& axis, double x, int wide) {
    if constexpr (kAlong == Along::columns)
#pragma unroll
      for (int k = 0; k < kColumns; ++k) parts[k] = (x + k * wide) * axis.a[2];
  }
  double part(int k) const {
    return parts[kAlong == Along::columns ? k : 0];
  }
};

/// What was found along an axis for the columns of a thread.
template <class Taps, int kIn, Along kAlong, int kColumns>
struct FoundColumns {
  static constexpr int kCount = kAlong == Along::columns ? kColumns : 1;
  FoundTap taps[kCount];

  void find(const LookupAxis& axis, double row, const ColumnParts<kAlong, kColumns>& columns) {
#pragma unroll
    for (int k = 0; k < kCount; ++k)
      taps[k] = found_tap<Taps, kIn>(axis, coordinate(axis, row, columns.parts[k]));
  }
  /// Coordinates rise or fall along a row: if both ends are safe, all between them are.
  bool are_safe(const LookupAxis& axis) const {
    return taps[0].at < axis.safe && (kCount == 1 || taps[kCount - 1].at < axis.safe);
  }
  const FoundTap& operator[](int k) const {
    return taps[kCount > 1 ? k : 0];
  }
};

/// Keeps the compiler from computing a pointer again at each use.
template <class T>
const T* made_once(const T* pointer) {
  asm("" : "+l"(pointer));
  return pointer;
}

/// Reads a voxel of memory that is never written. The load brings its whole line into the L2 cache,
/// where neighbouring rows look next; a plain load asks for one sector.
template <class T>
T voxel_of_line(const T* voxel) {
  if constexpr (sizeof(T) == 1) {
    unsigned bits;
    asm("ld.global.nc.L2::128B.u8 %0, [%1];" : "=r"(bits) : "l"(voxel));
    return static_cast<T>(bits);
  } else if constexpr (sizeof(T) == 2) {
    unsigned short bits;
    asm("ld.global.nc.L2::128B.u16 %0, [%1];" : "=h"(bits) : "l"(voxel));
    return std::bit_cast<T>(bits);
  } else if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm("ld.global.nc.L2::128B.u32 %0, [%1];" : "=r"(bits) : "l"(voxel));
    return std::bit_cast<T>(bits);
  } else {
    unsigned long long bits;
    asm("ld.global.nc.L2::128B.u64 %0, [%1];" : "=l"(bits) : "l"(voxel));
    return std::bit_cast<T>(bits);
  }
}

/// Voxels to look up: elements of T, with the steps from plane to plane and from row to row.
template <class T, bool kShared>
struct LookupVoxels {
  const T* first;
  Count plane;
  int row;

  [[nodiscard]] const T* of_plane(const FoundTap& z) const {
    const T* const there = first + static_cast<Count>(z.at) * plane;
    return kShared ? there : made_once(there);
  }
  [[nodiscard]] float at(const T* from, int z, int y, int x) const {
    const T* const voxel = from + z * plane + y * row + x;
    if constexpr (kShared)
      return *voxel;
    else
      return static_cast<float>(voxel_of_line(voxel));
  }

  /// Returns the value in a plane at taps that are safe.
  template <class Taps, int kInZ, int kInY>
  auto value(const T* of_plane, const FoundTap& z, const FoundTap& y, const FoundTap& x) const {
    const T* const from = of_plane + (y.at * static_cast<unsigned>(row) + x.at);
    if constexpr (Taps::kTaps == 1) {
      if constexpr (kShared)
        return *from;
      else
        return voxel_of_line(from);
    } else {
      const FoundWeights<Taps, kInZ> by_z{z.t};
      const FoundWeights<Taps, kInY> by_y{y.t};
      const FoundWeights<Taps, Taps::kTaps> by_x{x.t};
      float p[Taps::kTaps];
#pragma unroll
      for (int i = 0; i < Taps::kTaps; ++i)
        p[i] = by_x.w[i] *
               by_y.sum([&](int j) { return by_z.sum([&](int l) { return at(from, l, j, i); }); });
      return Taps::sum(p);
    }
  }
};

}  // namespace synthoscope::kernels::device
