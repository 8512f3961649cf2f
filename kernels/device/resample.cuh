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
  return interpolated(along(kInZ == 1, a.z, a.in.z, cz), along(kInY == 1, a.y, a.in.y, cy),
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
  static constexpr bool kIsNearest = Taps::kTaps == 1;
  using Made = std::conditional_t<kIsNearest, In, float>;
  Storing<Out> storing;

  Out of(Made made) {
    if constexpr (!kIsNearest)
      return storing.make(made);
    else if constexpr (std::is_same_v<In, Out>)
      return made;
    else
      return storing.make(static_cast<double>(made));
  }
  /// What lies `apart` from one to the next. Numbers that are not finite are looked for in all at
  /// once: in products with 0 they stay what they are.
  template <int kColumns>
  void to_columns(const Made* made, Out* to, int apart) {
    float all = 0;
    if constexpr (std::is_same_v<Out, float> && !kIsNearest) {
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        to[k * apart] = made[k];
        all = __fmaf_rn(made[k], 0.0F, all);
      }
      if (all == 0) return;
    }
#pragma unroll
    for (int k = 0; k < kColumns; ++k) to[k * apart] = of(made[k]);
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

/// What coordinates along an axis depend on. Those that do not depend on x are the same for all
/// columns that a thread makes, and those that depend on z alone are found once.
enum class Along { planes, rows, columns };

/// What the columns that a thread makes add to a coordinate.
template <Along kAlong, int kColumns>
struct ColumnParts {
  double parts[kAlong == Along::columns ? kColumns : 1] = {};
  ColumnParts(const LookupAxis& axis, double x, int wide) {
    if constexpr (kAlong == Along::columns)
#pragma unroll
      for (int k = 0; k < kColumns; ++k) parts[k] = (x + k * wide) * axis.a[2];
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

/// Voxels that are looked up in: elements of T, a plane and a row apart.
template <class T, bool kShared>
struct LookupVoxels {
  const T* first;
  Count plane;
  int row;
  [[nodiscard]] float at(const T* from, int z, int y, int x) const {
    const T* const voxel = from + z * plane + y * row + x;
    if constexpr (kShared)
      return *voxel;
    else
      return static_cast<float>(__ldg(voxel));
  }
};

/// What a thread makes: `rows` of columns `apart` voxels apart.
template <class Out>
struct LookupStrip {
  double z, y, x;  ///< position in the result of the first voxel
  int rows, tall;  ///< and the rows from one to the next
  int columns;     ///< that are there: all that a thread makes, or fewer
  Out* out;
  Count pitch;  ///< of `out`, from a row of the strip to the next
};

/// Where the threads of a block stand that makes tiles side by side, then those below each other,
/// then planes.
template <class Out, int kWide, int kColumns>
LookupStrip<Out> lookup_strip(const ResampleArguments& a) {
  constexpr int kTall = 32 / kWide;
  const int lane = threadIdx.x, warp = threadIdx.y;
  const unsigned across = static_cast<unsigned>(a.tiles_x), down = static_cast<unsigned>(a.tiles_y);
  const Count plane = blockIdx.x / across / down;
  const Count tile_y = blockIdx.x / across % down, tile_x = blockIdx.x % across;
  const Count x = tile_x * (kWide * kColumns) + lane % kWide;
  const Count y = (tile_y * kLookupWarps + warp) * (kTall * a.rows_each) + lane / kWide;
  LookupStrip<Out> s;
  s.z = static_cast<double>(a.out.z + plane);
  s.y = static_cast<double>(a.out.y + y);
  s.x = static_cast<double>(a.out.x + x);
  s.tall = kTall;
  const Count rows = (a.out.rows - y + kTall - 1) / kTall;
  const Count columns = (a.out.columns - x + kWide - 1) / kWide;
  s.rows = static_cast<int>(std::clamp<Count>(rows, 0, a.rows_each));
  s.columns = static_cast<int>(std::clamp<Count>(columns, 0, kColumns));
  s.out = static_cast<Out*>(a.out.voxels) + (plane * a.out.rows + y) * a.out.columns + x;
  s.pitch = kTall * a.out.columns;
  return s;
}

/// Makes those rows of a strip whose bit is set, voxel by voxel.
template <class In, class Out, class Taps, int kInZ, int kInY, int kWide>
void look_up_anywhere(const ResampleArguments& a, const LookupStrip<Out>& s, unsigned rows,
                      StoredLookup<In, Out, Taps>& stored) {
  for (; rows != 0; rows &= rows - 1) {
    const int row = __ffs(static_cast<int>(rows)) - 1;
    const double y = s.y + row * s.tall;
    for (int k = 0; k < s.columns; ++k) {
      const auto at = [&](const LookupAxis& axis) {
        return coordinate(axis, row_part(axis, s.z, y), (s.x + k * kWide) * axis.a[2]);
      };
      s.out[row * s.pitch + k * kWide] =
          stored.template anywhere<kInZ, kInY>(a, at(a.z), at(a.y), at(a.x));
    }
  }
}

/// Makes the voxels of a strip. @returns a bit for each row some of whose voxels are not safe,
/// which were left out.
/// @param z, y, x  of the arguments, or of a part of what is held
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, class Voxels>
unsigned look_up_strip(const LookupAxis& axis_z, const LookupAxis& axis_y, const LookupAxis& axis_x,
                       const LookupStrip<Out>& s, const Voxels& voxels,
                       StoredLookup<In, Out, Taps>& stored) {
  constexpr int kInX = Taps::kTaps;
  const ColumnParts<kAlongZ, kColumns> columns_z{axis_z, s.x, kWide};
  const ColumnParts<kAlongY, kColumns> columns_y{axis_y, s.x, kWide};
  const ColumnParts<Along::columns, kColumns> columns_x{axis_x, s.x, kWide};
  FoundColumns<Taps, kInZ, kAlongZ, kColumns> z;
  FoundColumns<Taps, kInY, kAlongY, kColumns> y;
  FoundColumns<Taps, kInX, Along::columns, kColumns> x;
  if constexpr (kAlongZ == Along::planes) z.find(axis_z, row_part(axis_z, s.z, s.y), columns_z);
  unsigned beside = 0;
  Out* to = s.out;
  double at_y = s.y;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    if constexpr (kAlongZ != Along::planes) z.find(axis_z, row_part(axis_z, s.z, at_y), columns_z);
    y.find(axis_y, row_part(axis_y, s.z, at_y), columns_y);
    x.find(axis_x, row_part(axis_x, s.z, at_y), columns_x);
    if (s.columns == kColumns && z.are_safe(axis_z) && y.are_safe(axis_y) && x.are_safe(axis_x)) {
      typename StoredLookup<In, Out, Taps>::Made made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const auto* const from =
            voxels.first + z[k].at * voxels.plane +
            (static_cast<int>(y[k].at) * voxels.row + static_cast<int>(x[k].at));
        if constexpr (Taps::kTaps == 1) {
          made[k] = *from;
        } else {
          const FoundWeights<Taps, kInZ> by_z{z[k].t};
          const FoundWeights<Taps, kInY> by_y{y[k].t};
          const FoundWeights<Taps, kInX> by_x{x[k].t};
          float p[kInX];
#pragma unroll
          for (int i = 0; i < kInX; ++i)
            p[i] = by_x.w[i] * by_y.sum([&](int j) {
              return by_z.sum([&](int l) { return voxels.at(from, l, j, i); });
            });
          made[k] = Taps::sum(p);
        }
      }
      stored.template to_columns<kColumns>(made, to, kWide);
    } else {
      beside |= 1U << row;
    }
    at_y += s.tall;
    to += s.pitch;
  }
  return beside;
}

template <class In>
LookupVoxels<In, false> held_lookup(const ResampleArguments& a) {
  const Count plane = a.in.y.size * a.in.x.size;
  return {
      static_cast<const In*>(a.in.voxels) + a.z.first * plane + a.y.first * a.in.x.size + a.x.first,
      plane, static_cast<int>(a.in.x.size)};
}

/// @tparam kInZ, kInY        voxels that count along z and y: 1 where coordinates are whole
/// @tparam kAlongZ, kAlongY  what coordinates along z and y depend on
/// @tparam kWide, kColumns   LookupShape
/// @tparam kBlocks           that share a multiprocessor at least
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, int kBlocks>
__global__ void __launch_bounds__(32 * kLookupWarps, kBlocks)
    resample_pixel(const __grid_constant__ ResampleArguments a) {
  const LookupStrip<Out> strip = lookup_strip<Out, kWide, kColumns>(a);
  StoredLookup<In, Out, Taps> stored;
  // Those beside faces are made behind the others: calls take registers
  const unsigned beside =
      look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
          a.z, a.y, a.x, strip, held_lookup<In>(a), stored);
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide>(a, strip, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
