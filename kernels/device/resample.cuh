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

/// Places of positions of an axis in what is held of it, as held_index gives them. Those up to an
/// image's length outside are mapped without a division.
class HeldPlaces {
 public:
  HeldPlaces(Outside outside, const HeldAxis& axis)
      : boundary_{boundary_of(outside)}, axis_{axis} {}

  [[nodiscard]] Count at(Count i) const {
    const Count n = axis_.image;
    Count mapped = i;
    if (i < 0 || i >= n) {
      if (boundary_ == Boundary::zero) return kOutside;
      const Count beyond = boundary_ == Boundary::mirror ? 0 : 1;
      if (boundary_ == Boundary::nearest)
        mapped = i < 0 ? 0 : n - 1;
      else if (boundary_ != Boundary::wrap)
        mapped = i < 0 ? -beyond - i : 2 * n - 2 + beyond - i;
    }
    const Count place = mapped - axis_.origin;
    if (place >= 0 && place < axis_.size && (mapped >= 0 && mapped < n || mapped == i))
      return place;
    return far(i);
  }

 private:
  __noinline__ Count far(Count i) const {
    return held_index(boundary_, i, axis_.image, axis_.origin, axis_.size);
  }
  Boundary boundary_;
  const HeldAxis& axis_;
};

/// As counted_taps.
template <class Taps, int kIn>
CountedTaps<Taps> taps_anywhere(Outside outside, const LookupAxis& axis, const HeldAxis& held,
                                double coordinate) {
  const double c = placed(outside, coordinate, axis.image), below = whole_below(c);
  CountedTaps<Taps> taps;
  taps.count = kIn;
  if constexpr (kIn > 1) Taps::weigh(static_cast<float>(c - below), taps.w);
  const Count first = static_cast<Count>(below) + axis.shift + (kIn > 1 ? Taps::kFirst : 0);
  const HeldPlaces places{outside, held};
#pragma unroll
  for (int k = 0; k < kIn; ++k) taps.at[k] = places.at(first + k);
  return taps;
}

/// A voxel beside a face or outside, whatever stands there.
template <class In, class Taps, int kInZ, int kInY>
__noinline__ float voxel_anywhere(const ResampleArguments& a, double cz, double cy, double cx) {
  const Outside outside = static_cast<Outside>(a.outside);
  const In* const voxels = static_cast<const In*>(a.in.voxels);
  return interpolated(taps_anywhere<Taps, kInZ>(outside, a.z, a.in.z, cz),
                      taps_anywhere<Taps, kInY>(outside, a.y, a.in.y, cy),
                      taps_anywhere<Taps, Taps::kTaps>(outside, a.x, a.in.x, cx),
                      static_cast<float>(a.fill), [&](Count z, Count y, Count x) {
                        return static_cast<float>(voxels[(z * a.in.y.size + y) * a.in.x.size + x]);
                      });
}

/// Whether the fill value stands at coordinates.
inline bool is_filled(const ResampleArguments& a, double cz, double cy, double cx) {
  return static_cast<Outside>(a.outside) == Outside::zero &&
         !(has_value(cz, a.z.image) && has_value(cy, a.y.image) && has_value(cx, a.x.image));
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
  Out filled(const ResampleArguments& a) {
    if constexpr (!kIsNearest)
      return storing.make(static_cast<float>(a.fill));
    else if constexpr (std::is_same_v<In, Out>)
      return static_cast<Out>(a.fill);
    else
      return storing.make(a.fill);
  }
  template <int kInZ, int kInY>
  Out anywhere(const ResampleArguments& a, double cz, double cy, double cx) {
    if (is_filled(a, cz, cy, cx)) return filled(a);
    if constexpr (!kIsNearest) {
      return storing.make(voxel_anywhere<In, Taps, kInZ, kInY>(a, cz, cy, cx));
    } else {
      const NearestVoxel<In> nearest = nearest_anywhere<In>(a, cz, cy, cx);
      return nearest.is_there ? of(nearest.value) : filled(a);
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

/// Voxels that are looked up in: elements of T, a plane and a row apart.
template <class T, bool kShared>
struct LookupVoxels {
  const T* first;
  Count plane;
  int row;

  [[nodiscard]] const T* of_plane(const FoundTap& z) const {
    return made_once(first + static_cast<Count>(z.at) * plane);
  }
  [[nodiscard]] float at(const T* from, int z, int y, int x) const {
    const T* const voxel = from + z * plane + y * row + x;
    if constexpr (kShared)
      return *voxel;
    else
      return static_cast<float>(__ldg(voxel));
  }

  /// What was found safe in a plane.
  template <class Taps, int kInZ, int kInY>
  auto value(const T* of_plane, const FoundTap& z, const FoundTap& y, const FoundTap& x) const {
    const T* const from = of_plane + (y.at * static_cast<unsigned>(row) + x.at);
    if constexpr (Taps::kTaps == 1) {
      return *from;
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

/// Makes voxels of a strip: those whose bit is set, row * kColumns + column.
template <class In, class Out, class Taps, int kInZ, int kInY, int kWide, int kColumns>
void look_up_anywhere(const ResampleArguments& a, const LookupStrip<Out>& s, unsigned voxels,
                      StoredLookup<In, Out, Taps>& stored) {
  for (; voxels != 0; voxels &= voxels - 1) {
    const int number = __ffs(static_cast<int>(voxels)) - 1;
    const int row = number / kColumns, k = number % kColumns;
    const double y = s.y + row * s.tall, x = s.x + k * kWide;
    const auto at = [&](const LookupAxis& axis) {
      return coordinate(axis, row_part(axis, s.z, y), x * axis.a[2]);
    };
    s.out[row * s.pitch + k * kWide] =
        stored.template anywhere<kInZ, kInY>(a, at(a.z), at(a.y), at(a.x));
  }
}

/// Makes the voxels of a strip but those beside faces. @returns their bits, for look_up_anywhere:
/// calls in this loop would take registers.
/// @param axis_z, axis_y, axis_x  of the arguments, or of a part of what is held
template <class In, class Out, class Taps, int kInZ, int kInY, Along kAlongZ, Along kAlongY,
          int kWide, int kColumns, class Voxels>
unsigned look_up_strip(const ResampleArguments& a, const LookupAxis& axis_z,
                       const LookupAxis& axis_y, const LookupAxis& axis_x,
                       const LookupStrip<Out>& s, const Voxels& voxels,
                       StoredLookup<In, Out, Taps>& stored) {
  const ColumnParts<kAlongZ, kColumns> columns_z{axis_z, s.x, kWide};
  const ColumnParts<kAlongY, kColumns> columns_y{axis_y, s.x, kWide};
  const ColumnParts<Along::columns, kColumns> columns_x{axis_x, s.x, kWide};
  FoundColumns<Taps, kInZ, kAlongZ, kColumns> z;
  FoundColumns<Taps, kInY, kAlongY, kColumns> y;
  FoundColumns<Taps, Taps::kTaps, Along::columns, kColumns> x;
  if constexpr (kAlongZ == Along::planes) z.find(axis_z, row_part(axis_z, s.z, s.y), columns_z);
  const auto value = [&](int k, const auto& of_plane) {
    const auto in_plane = kAlongZ == Along::columns ? voxels.of_plane(z[k]) : of_plane;
    return voxels.template value<Taps, kInZ, kInY>(in_plane, z[k], y[k], x[k]);
  };
  unsigned beside = 0;
  Out* to = s.out;
  double at_y = s.y;
#pragma unroll 1
  for (int row = 0; row < s.rows; ++row) {
    if constexpr (kAlongZ != Along::planes) z.find(axis_z, row_part(axis_z, s.z, at_y), columns_z);
    y.find(axis_y, row_part(axis_y, s.z, at_y), columns_y);
    x.find(axis_x, row_part(axis_x, s.z, at_y), columns_x);
    const bool are_safe =
        s.columns == kColumns && z.are_safe(axis_z) && y.are_safe(axis_y) && x.are_safe(axis_x);
    if (__all_sync(__activemask(), are_safe)) {
      const auto of_plane = voxels.of_plane(z[0]);
      typename StoredLookup<In, Out, Taps>::Made made[kColumns];
#pragma unroll
      for (int k = 0; k < kColumns; ++k) made[k] = value(k, of_plane);
      stored.template to_columns<kColumns>(made, to, kWide);
    } else {
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        if (k >= s.columns) break;
        if (z[k].at < axis_z.safe && y[k].at < axis_y.safe && x[k].at < axis_x.safe)
          to[k * kWide] = stored.of(value(k, voxels.of_plane(z[k])));
        else if (is_filled(a, coordinate(axis_z, row_part(axis_z, s.z, at_y), columns_z.part(k)),
                           coordinate(axis_y, row_part(axis_y, s.z, at_y), columns_y.part(k)),
                           coordinate(axis_x, row_part(axis_x, s.z, at_y), columns_x.part(k))))
          to[k * kWide] = stored.filled(a);
        else
          beside |= 1U << (row * kColumns + k);
      }
    }
    at_y += s.tall;
    to += s.pitch;
  }
  return beside;
}

template <class In>
LookupVoxels<In, false> held_lookup(const ResampleArguments& a) {
  return {static_cast<const In*>(a.first), a.plane, a.row};
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
  const unsigned beside =
      look_up_strip<In, Out, Taps, kInZ, kInY, kAlongZ, kAlongY, kWide, kColumns>(
          a, a.z, a.y, a.x, strip, held_lookup<In>(a), stored);
  look_up_anywhere<In, Out, Taps, kInZ, kInY, kWide, kColumns>(a, strip, beside, stored);
  stored.storing.add_to(a.out.counts);
}

}  // namespace synthoscope::kernels::device
