// SPDX-License-Identifier: MIT
// kernels/resample/tap_sums.hpp — weighted sums of the voxels around coordinates, in loops that are
// compiled for vector units; shared by rows.cpp and columns.cpp.
#pragma once
#include <cstdint>
#include <cstring>
#include "core/vector/vector_level.hpp"
#include "kernels/body/interpolation.hpp"
#include "kernels/resample/rows.hpp"

namespace synthoscope::kernels {

template <class Visit>
void visit_taps(Interpolation how, const Visit& visit) {
  if (how == Interpolation::linear)
    visit(LinearTaps{});
  else if (how == Interpolation::cubic)
    visit(CubicTaps{});
  else
    visit(LanczosTaps{});
}

/// Weights of a row of voxels along an axis; a single tap has the weight 1 without being stored.
template <class Taps, int Count>
struct TapWeights {
  float w[Count][kResampleRow];
};
template <class Taps>
struct TapWeights<Taps, 1> {};

/// Sets the weights of voxel i, which is not wanted, to 0.
template <class Taps, int Count>
SYNTHOSCOPE_INLINE inline void clear(TapWeights<Taps, Count>& weights, int i) {
  if constexpr (Count > 1)
    for (auto& of_tap : weights.w) of_tap[i] = 0;
}

/// whole_below for vectors of kLanes floats: units with more than four lanes have an instruction
/// for it, which keeps the sign of zero.
template <int kLanes>
SYNTHOSCOPE_INLINE inline double whole_below_in(double c) {
  if constexpr (kLanes > 4)
    return __builtin_floor(c) + 0.0;
  else
    return whole_below(c);
}

/// Computes the first tap of each coordinate of an axis, relative to `origin`, and the weights.
template <int kLanes, class Taps, int Count>
SYNTHOSCOPE_INLINE inline void weigh_axis(const double* coordinates, int count, std::int64_t origin,
                                          std::int32_t* positions,
                                          TapWeights<Taps, Count>& weights) {
  const double* __restrict const c = coordinates;
  std::int32_t* __restrict const first = positions;
  const double from = static_cast<double>(Count == 1 ? origin : origin - Taps::kFirst);
  if constexpr (Count == 1) {  // coordinates are whole
    for (int i = 0; i < count; ++i) first[i] = static_cast<std::int32_t>(c[i] - from);
  } else {
    float t[kResampleRow];
    for (int i = 0; i < count; ++i) {
      const double below = whole_below_in<kLanes>(c[i]);
      first[i] = static_cast<std::int32_t>(below - from);
      t[i] = static_cast<float>(c[i] - below);
    }
    for (int i = 0; i < count; ++i) {
      float w[Count];
      Taps::weigh(t[i], w);
      for (int k = 0; k < Count; ++k) weights.w[k][i] = w[k];
    }
  }
}

/// Returns sum_k w_k v_k along an axis for voxel `i`, where v(k) are numbers or vectors.
template <class Taps, int Count, class Values>
SYNTHOSCOPE_INLINE inline auto weighted_sum(const TapWeights<Taps, Count>& weights, int i,
                                            const Values& v) {
  if constexpr (Count == 1) {
    return v(0);
  } else {
    auto sum = weights.w[0][i] * v(0);
    for (int k = 1; k < Count; ++k) sum = sum + weights.w[k][i] * v(k);
    return sum;
  }
}

/// Values that are contiguous in x, added up as one vector.
template <int Count>
struct Neighbours {
  typedef float type __attribute__((vector_size(Count * sizeof(float))));
};

template <class V>
SYNTHOSCOPE_INLINE inline V load_as(const float* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// The six values of Lanczos: four and two.
struct Six {
  Neighbours<4>::type a;
  Neighbours<2>::type b;
  friend SYNTHOSCOPE_INLINE Six operator*(float w, const Six& v) { return {w * v.a, w * v.b}; }
  friend SYNTHOSCOPE_INLINE Six operator+(const Six& u, const Six& v) {
    return {u.a + v.a, u.b + v.b};
  }
};
template <>
SYNTHOSCOPE_INLINE inline Six load_as<Six>(const float* from) {
  return {load_as<Neighbours<4>::type>(from), load_as<Neighbours<2>::type>(from + 4)};
}

template <class Taps>
struct InX {
  using Values = typename Neighbours<Taps::kTaps>::type;
};
template <>
struct InX<LanczosTaps> {
  using Values = Six;
};

/// Sums the values of each voxel of a row, which are contiguous in x, with their weights.
template <class Taps>
SYNTHOSCOPE_INLINE inline void sum_in_x(const TapWeights<Taps, Taps::kTaps>& weights, int count,
                                        const float* values, float* out) {
  constexpr int kTaps = Taps::kTaps;
  for (int i = 0; i < count; ++i) {
    float p[kTaps];
    for (int k = 0; k < kTaps; ++k) p[k] = weights.w[k][i] * values[i * kTaps + k];
    out[i] = Taps::sum(p);
  }
}

}  // namespace synthoscope::kernels
