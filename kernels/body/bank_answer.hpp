// SPDX-License-Identifier: MIT
// kernels/body/bank_answer.hpp — the responses of a bank of filters at a voxel, from a few fields
// that passes along the axes give; host and device compile this file.
#pragma once
#include <cmath>

namespace synthoscope::kernels {

/// itself              the field.
/// orientations        filters at 0, 30, 60, 90, 120 and 150 degrees. Those at 30 and 150 mirror
///                     each other, and so do those at 60 and 120: the fields are 0, the mean and
///                     half the difference of each pair, and 90.
/// strongest           the largest of these; with `magnitude`, of their magnitudes.
/// plane_invariants    of the derivatives y, x, yy, yx, xx: the gradient's magnitude and the
///                     Hessian's eigenvalues, the largest first.
/// volume_invariants   the same of z, y, x, zz, zy, zx, yy, yx, xx.
enum class BankAnswer {
  itself,
  orientations,
  strongest,
  strongest_magnitude,
  plane_invariants,
  volume_invariants
};

inline constexpr int kMaxAnswerFields = 9, kMaxAnswerResponses = 6;

constexpr int fields_of(BankAnswer answer) {
  switch (answer) {
    case BankAnswer::itself:
      return 1;
    case BankAnswer::plane_invariants:
      return 5;
    case BankAnswer::volume_invariants:
      return 9;
    default:
      return 6;
  }
}

constexpr int responses_of(BankAnswer answer) {
  switch (answer) {
    case BankAnswer::orientations:
      return 6;
    case BankAnswer::plane_invariants:
      return 3;
    case BankAnswer::volume_invariants:
      return 4;
    default:
      return 1;
  }
}

/// Returns the larger one; NaN if either is NaN.
__attribute__((always_inline)) constexpr float stronger(float a, float b) {
  return b > a || b != b ? b : a;
}

/// Computes the responses of six filters from their fields.
__attribute__((always_inline)) inline void turn(const float* fields, float* responses) {
  responses[0] = fields[0];
  responses[1] = fields[1] + fields[2];
  responses[2] = fields[3] + fields[4];
  responses[3] = fields[5];
  responses[4] = fields[3] - fields[4];
  responses[5] = fields[1] - fields[2];
}

/// A symmetric matrix of three rows.
struct Symmetric3 {
  float zz, zy, zx, yy, yx, xx;
};

/// Makes one Jacobi rotation, after which pq is 0: pp and qq are on the diagonal, pq is their
/// common element, pr and qr those with the third row. Without branches, so that it can be
/// vectorised.
__attribute__((always_inline)) inline void rotate(float& pp, float& qq, float& pq, float& pr,
                                                  float& qr) {
  const float half = 0.5F * (qq - pp);
  const float length = std::sqrt(half * half + pq * pq);
  // Without a rotation: 0 / 1
  const float below = std::abs(half) + length + (length > 0 ? 0.0F : 1.0F);
  const float tangent = (half < 0 ? -pq : pq) / below;
  const float cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
  pp -= tangent * pq;
  qq += tangent * pq;
  pq = 0;
  const float p = pr, q = qr;
  pr = cosine * p - sine * q;
  qr = sine * p + cosine * q;
}

__attribute__((always_inline)) inline void put_larger_first(float& a, float& b) {
  const float larger = a < b ? b : a, smaller = a < b ? a : b;
  a = larger;
  b = smaller;
}

/// Rotates each pair of rows once. In the end, each sweep reduces off-diagonal elements to the
/// order of their cube.
__attribute__((always_inline)) inline void sweep(Symmetric3& m) {
  rotate(m.zz, m.yy, m.zy, m.zx, m.yx);
  rotate(m.zz, m.xx, m.zx, m.zy, m.yx);
  rotate(m.yy, m.xx, m.yx, m.zy, m.zx);
}

/// Computes eigenvalues, the largest first.
/// @accuracy 1e-6 of the largest magnitude (filter_banks_test)
/// @source  Jacobi's rotations, row by row: Golub and Van Loan, Matrix Computations, 4th ed.
///          (2013), section 8.5.
__attribute__((always_inline)) inline void eigenvalues(Symmetric3 m, float* values) {
  // No loop, so that the loop that calls this can be vectorised
  sweep(m);
  sweep(m);
  sweep(m);
  sweep(m);
  values[0] = m.zz;
  values[1] = m.yy;
  values[2] = m.xx;
  put_larger_first(values[0], values[1]);
  put_larger_first(values[1], values[2]);
  put_larger_first(values[0], values[1]);
}

/// Computes the responses of a voxel from its fields.
template <BankAnswer kAnswer>
__attribute__((always_inline)) inline void answer(const float* fields, float* responses) {
  if constexpr (kAnswer == BankAnswer::itself) {
    responses[0] = fields[0];
  } else if constexpr (kAnswer == BankAnswer::orientations) {
    turn(fields, responses);
  } else if constexpr (kAnswer == BankAnswer::plane_invariants) {
    responses[0] = std::sqrt(fields[0] * fields[0] + fields[1] * fields[1]);
    const float middle = 0.5F * (fields[2] + fields[4]), half = 0.5F * (fields[2] - fields[4]);
    const float apart = std::sqrt(half * half + fields[3] * fields[3]);
    responses[1] = middle + apart;
    responses[2] = middle - apart;
  } else if constexpr (kAnswer == BankAnswer::volume_invariants) {
    responses[0] = std::sqrt(fields[0] * fields[0] + fields[1] * fields[1] + fields[2] * fields[2]);
    eigenvalues({fields[3], fields[4], fields[5], fields[6], fields[7], fields[8]}, responses + 1);
  } else {
    float turned[6];
    turn(fields, turned);
    if constexpr (kAnswer == BankAnswer::strongest_magnitude)
      for (float& value : turned) value = value < 0 ? -value : value;
    responses[0] = turned[0];
    for (int i = 1; i < 6; ++i) responses[0] = stronger(responses[0], turned[i]);
  }
}

}  // namespace synthoscope::kernels
