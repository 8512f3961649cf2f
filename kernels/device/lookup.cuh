// SPDX-License-Identifier: MIT
// kernels/device/lookup.cuh — where the coordinates of an affine map lie in what is held of an
// image, and the sums of what counts there.
#pragma once
#include "kernels/body/interpolation.hpp"
#include "kernels/device/resample_arguments.hpp"

namespace synthoscope::kernels::device {

// Names of kernels are looked up in this namespace
using kernels::CubicTaps;
using kernels::LanczosTaps;
using kernels::LinearTaps;

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
  FoundWeights() = default;
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

/// What the columns that a thread makes add to a coordinate.
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

/// What was found along an axis for the columns that a thread makes.
template <class Taps, int kIn, Along kAlong, int kColumns>
struct FoundColumns {
  static constexpr int kCount = kAlong == Along::columns ? kColumns : 1;
  FoundTap taps[kCount];

  void find(const LookupAxis& axis, double row, const ColumnParts<kAlong, kColumns>& columns) {
#pragma unroll
    for (int k = 0; k < kCount; ++k)
      taps[k] = found_tap<Taps, kIn>(axis, coordinate(axis, row, columns.parts[k]));
  }
  /// Coordinates rise or fall along a row: those between are safe if the ends are.
  bool are_safe(const LookupAxis& axis) const {
    return taps[0].at < axis.safe && (kCount == 1 || taps[kCount - 1].at < axis.safe);
  }
  const FoundTap& operator[](int k) const {
    return taps[kCount > 1 ? k : 0];
  }
};

/// Keeps the compiler from making a pointer again where it is used.
template <class T>
const T* made_once(const T* pointer) {
  asm("" : "+l"(pointer));
  return pointer;
}

/// A voxel of memory that nobody writes. All of its line comes to the L2 cache, where neighbouring
/// rows look next: they ask for a sector at a time.
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

/// Voxels that are looked up in: elements of T, a plane and a row apart.
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

  /// What was found safe in a plane.
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
