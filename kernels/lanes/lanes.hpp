// SPDX-License-Identifier: MIT
// kernels/lanes/lanes.hpp — vectors of floats, or of doubles, as wide as the registers of a vector
// unit.
#pragma once
#include "core/vector/vector_level.hpp"

// Functions that take and return vectors are always inlined: none is called with another ABI
#pragma GCC diagnostic ignored "-Wpsabi"

namespace synthoscope::kernels {

template <int kLanes>
struct Lanes {
  typedef float Vector __attribute__((vector_size(4 * kLanes)));
  /// A vector at any position of an array of floats.
  typedef float Unaligned __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
};

/// Vectors of half as many doubles.
template <int kLanes>
struct DoubleLanes {
  static constexpr int kCount = kLanes / 2;
  typedef double Vector __attribute__((vector_size(8 * kCount)));
  typedef double Unaligned __attribute__((vector_size(8 * kCount), aligned(8), may_alias));

  static SYNTHOSCOPE_INLINE Vector at(const double* from) {
    return *reinterpret_cast<const Unaligned*>(from);
  }
  static SYNTHOSCOPE_INLINE void store(const Vector& values, double* to) {
    *reinterpret_cast<Unaligned*>(to) = values;
  }
};

/// Returns the lanes from `at` on.
template <int kLanes>
SYNTHOSCOPE_INLINE inline auto lanes_at(const float* at) -> typename Lanes<kLanes>::Vector {
  return *reinterpret_cast<const typename Lanes<kLanes>::Unaligned*>(at);
}

/// A single double, as a vector of one.
struct OneDouble {
  static constexpr int kCount = 1;
  using Vector = double;
  static SYNTHOSCOPE_INLINE double at(const double* from) { return *from; }
  static SYNTHOSCOPE_INLINE void store(double value, double* to) { *to = value; }
};

/// Most lanes of a vector register, at any level.
inline constexpr int kMaxLanes = 16;

/// A number of lanes that functions are compiled for.
template <int kLanes>
struct LaneCount {
  static constexpr int value = kLanes;
};

/// Calls `body(LaneCount<N>{})` compiled for `level`, where a register holds N floats.
template <class Body>
void with_lanes(VectorLevel level, const Body& body) {
  switch (level) {
    case VectorLevel::baseline:
      return vectorised(level, [&]() SYNTHOSCOPE_INLINE { body(LaneCount<4>{}); });
    case VectorLevel::avx2:
      return vectorised(level, [&]() SYNTHOSCOPE_INLINE { body(LaneCount<8>{}); });
    case VectorLevel::avx512:
      return vectorised(level, [&]() SYNTHOSCOPE_INLINE { body(LaneCount<16>{}); });
  }
}

}  // namespace synthoscope::kernels
