// SPDX-License-Identifier: MIT
// kernels/body/threewise.hpp — joins mean and variance of parts of a window, three parts at a time
// or around a centre. Host and device compile this file, so it includes nothing.
#pragma once

namespace synthoscope::kernels {

/// Mean and variance of a window around a voxel. The mean is stored as its difference from that
/// voxel, which float32 holds to the precision of the spread in the window, however far from 0 the
/// values are: voxels within a factor of 2 have an exact difference, and all others one that is
/// rounded once.
/// V is float, or a vector of floats for that many windows.
template <class V>
struct PartOf {
  V voxel;     ///< the value of the voxel that the window is around
  V offset;    ///< mean - voxel
  V variance;  ///< never negative
};
using Part = PartOf<float>;

/// Weights of three parts; the outer ones are equal, side + centre + side = 1.
struct ThreeWeights {
  float side, centre;
  float of_sum, of_difference;  ///< weights of the squares, see threewise
};

constexpr ThreeWeights three_weights(double side) {
  return {static_cast<float>(side), static_cast<float>(1 - 2 * side),
          static_cast<float>(1 / (2 * side) - 1), static_cast<float>(side / 2)};
}

/// Joins a part with its neighbours to the left and right. For weights w and means m,
///
///     mean = sum w_i m_i      variance = sum w_i v_i + sum_{i<j} w_i w_j (m_i - m_j)^2
///
/// and with equal sides a, distances d1 = m1 - m0 and d2 = m2 - m0, s = d1 + d2 and t = d1 - d2,
/// the second sum is (a s)^2 (1/(2a) - 1) + t^2 a/2: two squares, so nothing cancels.
/// @source  pairwise updates: Chan, Golub and LeVeque, The American Statistician 37 (1983) 242,
///          doi:10.1080/00031305.1983.10483115; three parts of 1 2 1: Gouin, Ancourt and Guettier,
///          Threewise: a local variance algorithm for GPU, IEEE CSE 2016.
__attribute__((always_inline)) inline Part threewise(const Part& left, const Part& centre,
                                                     const Part& right, const ThreeWeights& w) {
  const float d1 = (left.voxel - centre.voxel) + (left.offset - centre.offset);
  const float d2 = (right.voxel - centre.voxel) + (right.offset - centre.offset);
  const float moved = w.side * (d1 + d2), t = d1 - d2;
  const float within = w.side * (left.variance + right.variance) + w.centre * centre.variance;
  const float between = w.of_sum * (moved * moved) + w.of_difference * (t * t);
  return {centre.voxel, centre.offset + moved, within + between};
}

/// Sums of any symmetric window, whose parts are joined pair by pair around the centre.
template <class V>
struct PairSums {
  V offset{}, square{};
};

/// Adds two parts of weight `weight` each, equally far from the centre.
template <class V>
__attribute__((always_inline)) inline void add_pair(const PartOf<V>& centre, const PartOf<V>& left,
                                                    const PartOf<V>& right, float weight,
                                                    PairSums<V>& sums) {
  const V d1 = (left.voxel - centre.voxel) + (left.offset - centre.offset);
  const V d2 = (right.voxel - centre.voxel) + (right.offset - centre.offset);
  sums.offset += weight * (d1 + d2);
  sums.square += weight * ((d1 * d1 + d2 * d2) + (left.variance + right.variance));
}

/// Does the same for single voxels, whose offset and variance are 0, to the bit.
template <class V>
__attribute__((always_inline)) inline void add_pair(const V& centre, const V& left, const V& right,
                                                    float weight, PairSums<V>& sums) {
  const V d1 = left - centre, d2 = right - centre;
  sums.offset += weight * (d1 + d2);
  sums.square += weight * (d1 * d1 + d2 * d2);
}

/// Joins the pairs with the centre. When the mean's square is subtracted, at least a share of the
/// squares as large as the centre's weight is left, so rounding grows by its inverse at most. NaN
/// stays NaN.
template <class V>
__attribute__((always_inline)) inline PartOf<V> joined(const PartOf<V>& centre, float weight,
                                                       const PairSums<V>& sums) {
  const V variance = (sums.square + weight * centre.variance) - sums.offset * sums.offset;
  return {centre.voxel, centre.offset + sums.offset, variance < 0 ? V{} : variance};
}

}  // namespace synthoscope::kernels
