// SPDX-License-Identifier: MIT
// kernels/device/splines/steps.cuh — the steps of the fit of a cubic B-spline: along rows that
// lanes share, and along an axis whose voxels come one after another, where every step keeps the
// values that it looks back at.
#pragma once
#include "kernels/body/spline.hpp"
#include "kernels/device/splines/prefilter_arguments.hpp"

namespace synthoscope::kernels::device {

constexpr int kAround = static_cast<int>(kSplineReach);
constexpr unsigned kWarp = 0xffffffff;

/// Four neighbours of a row.
struct __align__(16) Four {
  float values[4];
  float& operator[](int i) {
    return values[i];
  }
  float operator[](int i) const {
    return values[i];
  }
};

/// Computes step `kNumber` of the fit along a row; every lane has four of its voxels. Results at
/// the ends of the warp are wrong: they lack neighbours.
template <int kNumber>
Four fitted_along_row(const Four& v) {
  constexpr SplineStep kStep = spline_step(kNumber);
  constexpr int kApart = kStep.apart;
  Four made;
  if constexpr (kApart < 4) {
    float about[4 + 2 * kApart];
#pragma unroll
    for (int k = 0; k < kApart; ++k) {
      about[k] = __shfl_up_sync(kWarp, v[4 - kApart + k], 1);
      about[4 + kApart + k] = __shfl_down_sync(kWarp, v[k], 1);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) about[kApart + k] = v[k];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      made[k] = kStep.sum(about[k], about[k + kApart], about[k + 2 * kApart]);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      made[k] = kStep.sum(__shfl_up_sync(kWarp, v[k], kApart / 4), v[k],
                          __shfl_down_sync(kWarp, v[k], kApart / 4));
  }
  return made;
}

template <int kNumber>
float sum_of_step(float before, float at, float behind) {
  return spline_step(kNumber).sum(before, at, behind);
}
template <int kNumber>
Four sum_of_step(const Four& before, const Four& at, const Four& behind) {
  Four made;
#pragma unroll
  for (int k = 0; k < 4; ++k) made[k] = sum_of_step<kNumber>(before[k], at[k], behind[k]);
  return made;
}

/// What a step looks back at, in registers: indices are known at compile time.
template <class Value, int kLength>
struct HeldInRegisters {
  Value values[kLength] = {};
  Value& operator[](int i) { return values[i]; }
};

/// The same in shared memory, where a lane has every 32nd element. It begins uninitialized: no
/// coefficient that is kept depends on that.
template <class Value, int kLength>
struct HeldInShared {
  Value* first;
  Value& operator[](int i) { return first[32 * i]; }
};

/// A fit along an axis: values come one after another, each with its index, and the coefficient of
/// the value kAround before is returned.
/// @tparam Far  holds what the two longer steps look back at
template <class Value, template <class, int> class Far>
class SlidingFit {
 public:
  explicit SlidingFit(Far<Value, 8> four = {}, Far<Value, 16> eight = {})
      : four_{four}, eight_{eight} {}

  Value next(int place, Value value) {
    value = step<0, 2>(one_, place, value);
    value = step<1, 4>(two_, place, value);
    value = step<2, 8>(four_, place, value);
    return step<3, 16>(eight_, place, value);
  }

 private:
  template <int kNumber, int kLength, class Before>
  static Value step(Before& before, int place, const Value& value) {
    constexpr int kApart = spline_step(kNumber).apart;
    static_assert(kLength == 2 * kApart && kLength <= kSplineGroup);
    Value& last = before[place % kLength];
    const Value made = sum_of_step<kNumber>(last, before[(place + kApart) % kLength], value);
    last = value;
    return made;
  }

  HeldInRegisters<Value, 2> one_;
  HeldInRegisters<Value, 4> two_;
  Far<Value, 8> four_;
  Far<Value, 16> eight_;
};

}  // namespace synthoscope::kernels::device
