// SPDX-License-Identifier: MIT
// kernels/device/resample/lookup_anywhere.cuh — voxels near faces and outside, by the same code as
// on the host, and how looked-up values are stored.
#pragma once
#include <type_traits>
#include "kernels/body/interpolated_voxel.hpp"
#include "kernels/body/outside.hpp"
#include "kernels/device/code/window.cuh"
#include "kernels/device/resample/lookup.cuh"

namespace synthoscope::kernels::device {

/// Maps positions along an axis to indices of held voxels, as held_index does. Most positions up to
/// an image's length outside need no division.
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

/// Returns a voxel near a face or outside, with any kind of boundary.
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

/// Returns whether the result at these coordinates is the fill value.
inline bool is_filled(const ResampleArguments& a, double cz, double cy, double cx) {
  return static_cast<Outside>(a.outside) == Outside::zero &&
         !(has_value(cz, a.z.image) && has_value(cy, a.y.image) && has_value(cx, a.x.image));
}

/// The nearest voxel in its own type; not there if the fill value applies.
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

/// How a looked-up value is stored. The nearest voxel is copied unchanged if the result has its
/// type.
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
  /// Stores results that are `apart` voxels apart. Non-finite numbers are looked for in all results
  /// at once: their products with 0 are NaN.
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

}  // namespace synthoscope::kernels::device
