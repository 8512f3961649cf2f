// SPDX-License-Identifier: MIT
// kernels/device/window.cuh — voxels of a window by their positions, and results stored.
#pragma once
#include <cmath>
#include "core/stored_voxel.hpp"
#include "kernels/body/held_index.hpp"
#include "kernels/device/window_arguments.hpp"

namespace synthoscope::kernels::device {

/// Where position `i` is held; kOutside where boundary zero has no voxel.
inline Count held_at(Boundary boundary, Count i, const HeldAxis& axis) {
  return held_index(boundary, i, axis.image, axis.origin, axis.size);
}

/// The voxel at a position anywhere; zero outside where the boundary says so.
template <class In>
float voxel_at(const HeldVoxels& in, Boundary boundary, Count z, Count y, Count x) {
  const Count at_z = held_at(boundary, z, in.z), at_y = held_at(boundary, y, in.y),
              at_x = held_at(boundary, x, in.x);
  if (at_z == kOutside || at_y == kOutside || at_x == kOutside) return 0;
  return static_cast<float>(
      static_cast<const In*>(in.voxels)[(at_z * in.y.size + at_y) * in.x.size + at_x]);
}

/// Stores what a thread makes, and counts as StoreAs does.
template <class Out>
class Storing {
 public:
  /// @param value  float or double
  template <class Real>
  Out make(Real value) {
    if constexpr (kIsReal) {
      // is_finite in one comparison
      constexpr Real kLargest = sizeof value == 4 ? 3.402823466e+38 : 1.7976931348623157e+308;
      if (!(std::abs(value) <= kLargest)) ++not_kept_;
      return static_cast<Out>(value);
    } else {
      if (!in_range<Out>(value)) {
        ++not_kept_;
        not_finite_ += !is_finite(value);
      }
      return rounded<Out>(value);
    }
  }

  /// Once a thread, at its end. Null where nobody asks.
  void add_to(unsigned long long* counts) const {
    if (counts == nullptr) return;
    const int clipped = kIsReal ? 0 : not_kept_, non_finite = kIsReal ? not_kept_ : not_finite_;
    if (clipped != 0) atomicAdd(counts, static_cast<unsigned long long>(clipped));
    if (non_finite != 0) atomicAdd(counts + 1, static_cast<unsigned long long>(non_finite));
  }

 private:
  static constexpr bool kIsReal = static_cast<Out>(0.5) != static_cast<Out>(0);
  int not_kept_ = 0, not_finite_ = 0;
};

}  // namespace synthoscope::kernels::device
