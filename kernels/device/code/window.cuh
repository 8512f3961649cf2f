// SPDX-License-Identifier: MIT
// kernels/device/code/window.cuh — reads voxels of a window by their positions, and stores results.
#pragma once
#include <cmath>
#include "core/volume/stored_voxel.hpp"
#include "kernels/body/held_index.hpp"
#include "kernels/device/code/window_arguments.hpp"

namespace synthoscope::kernels::device {

constexpr int ceil_div(int n, int by) {
  return (n + by - 1) / by;
}

/// Returns the index of position `i` among those held; kOutside if boundary zero has no voxel.
inline Count held_at(Boundary boundary, Count i, const HeldAxis& axis) {
  return held_index(boundary, i, axis.image, axis.origin, axis.size);
}

/// Returns the voxel at any position; zero outside if the boundary says so.
template <class In>
float voxel_at(const HeldVoxels& in, Boundary boundary, Count z, Count y, Count x) {
  const Count at_z = held_at(boundary, z, in.z), at_y = held_at(boundary, y, in.y),
              at_x = held_at(boundary, x, in.x);
  if (at_z == kOutside || at_y == kOutside || at_x == kOutside) return 0;
  return static_cast<float>(
      static_cast<const In*>(in.voxels)[(at_z * in.y.size + at_y) * in.x.size + at_x]);
}

/// Stores a thread's results, and counts changed voxels as StoreAs does.
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

  /// The same for neighbours; integers of at most 16 bits are rounded and checked together.
  template <int kCount>
  void make(const float (&values)[kCount], Out (&to)[kCount]) {
    if constexpr (!kIsReal && sizeof(Out) <= 2) {
      using R = Rounding<Out, float>;
      unsigned rounded_bits[kCount], beyond = 0;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        rounded_bits[i] = __float_as_uint(values[i] + R::kRounder);
        // Less than kValues for values in the range, and for no other float
        beyond |= rounded_bits[i] - __float_as_uint(R::kRounder + R::kLow);
      }
      if (beyond < static_cast<unsigned>(R::kValues)) {
#pragma unroll
        for (int i = 0; i < kCount; ++i) to[i] = static_cast<Out>(rounded_bits[i]);
        return;
      }
    }
#pragma unroll
    for (int i = 0; i < kCount; ++i) to[i] = make(values[i]);
  }

  /// Adds the counts; called once by each thread, at its end. Null: they are not wanted.
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

/// Stores `kColumns` neighbouring results of each thread; `columns` are left in the box's row.
template <class Out, int kColumns>
void store_columns(Storing<Out>& storing, const float (&values)[kColumns], Out* row, int columns,
                   bool is_aligned) {
  struct alignas(sizeof(Out) * kColumns) Together {
    Out values[kColumns];
  };
  const int x = static_cast<int>(threadIdx.x) * kColumns;
  if (is_aligned && x + kColumns <= columns) {
    Together together;
    storing.make(values, together.values);
    *reinterpret_cast<Together*>(row + x) = together;
    return;
  }
#pragma unroll
  for (int c = 0; c < kColumns; ++c)
    if (x + c < columns) row[x + c] = storing.make(values[c]);
}

}  // namespace synthoscope::kernels::device
