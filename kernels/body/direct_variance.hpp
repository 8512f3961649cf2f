// SPDX-License-Identifier: MIT
// kernels/body/direct_variance.hpp — mean and variance of one window by going through its voxels,
// as textbooks have it: oracles and peers of the merges; read by the compilers of host and device,
// so it includes nothing.
#pragma once

namespace synthoscope::kernels {

template <class Real>
struct Moments {
  Real mean, variance;
};

/// The voxels around one, and the weights of each axis from the first neighbour to the last; all
/// weights together are 1.
template <class Real>
struct Neighbourhood {
  const float* centre;
  long long plane, row;  ///< elements from plane to plane and from row to row
  int reach_z, reach_y, reach_x;
  const Real *weights_z, *weights_y, *weights_x;

  /// Calls `body(value, weight)` in z, y, x order.
  template <class Body>
  void visit(Body&& body) const {
    for (int z = -reach_z; z <= reach_z; ++z)
      for (int y = -reach_y; y <= reach_y; ++y) {
        const float* const from = centre + z * plane + y * row;
        const Real weight = weights_z[z + reach_z] * weights_y[y + reach_y];
        for (int x = -reach_x; x <= reach_x; ++x)
          body(static_cast<Real>(from[x]), weight * weights_x[x + reach_x]);
      }
  }
};

/// The mean first, then squares of distances from it.
template <class Real>
inline Moments<Real> two_pass(const Neighbourhood<Real>& around) {
  Real mean = 0, variance = 0;
  around.visit([&](Real value, Real weight) { mean += weight * value; });
  around.visit(
      [&](Real value, Real weight) { variance += weight * ((value - mean) * (value - mean)); });
  return {mean, variance};
}

/// König's formula, E[x^2] - E[x]^2. It cancels: with float32 nothing is left of a variance that is
/// 1e7 times smaller than the mean's square, and it may be negative.
template <class Real>
inline Moments<Real> koenig(const Neighbourhood<Real>& around) {
  Real mean = 0, square = 0;
  around.visit([&](Real value, Real weight) {
    mean += weight * value;
    square += weight * (value * value);
  });
  return {mean, square - mean * mean};
}

/// Voxel by voxel, each moving the mean. Weights as West has them.
/// @source  Welford, Technometrics 4 (1962) 419, doi:10.1080/00401706.1962.10490022; West,
///          Communications of the ACM 22 (1979) 532, doi:10.1145/359146.359153.
template <class Real>
inline Moments<Real> online(const Neighbourhood<Real>& around) {
  Real total = 0, mean = 0, sum = 0;
  around.visit([&](Real value, Real weight) {
    total += weight;
    const Real apart = value - mean, moved = apart * (weight / total);
    mean += moved;
    sum += weight * (apart * (value - mean));
  });
  return {mean, sum / total};
}

/// Halves joined with halves, halves of those before: parts of 2^k voxels wait for their like.
/// @source  Chan, Golub and LeVeque, The American Statistician 37 (1983) 242,
///          doi:10.1080/00031305.1983.10483115.
template <class Real>
inline Moments<Real> pairwise(const Neighbourhood<Real>& around) {
  constexpr int kMost = 32;
  Real weights[kMost], means[kMost], sums[kMost];
  int waiting = 0;
  const auto join_last = [&] {
    const int to = waiting - 2, from = waiting - 1;
    const Real weight = weights[to] + weights[from], apart = means[from] - means[to];
    const Real share = weights[from] / weight;
    means[to] += apart * share;
    sums[to] += sums[from] + weights[to] * share * (apart * apart);
    weights[to] = weight;
    --waiting;
  };
  unsigned came = 0;
  around.visit([&](Real value, Real weight) {
    weights[waiting] = weight;
    means[waiting] = value;
    sums[waiting] = 0;
    ++waiting;
    ++came;
    for (unsigned pairs = came; pairs % 2 == 0; pairs /= 2) join_last();
  });
  while (waiting > 1) join_last();
  return {means[0], sums[0] / weights[0]};
}

enum class DirectWay { two_pass, online, pairwise, koenig };

template <class Real>
inline Moments<Real> moments(DirectWay way, const Neighbourhood<Real>& around) {
  switch (way) {
    case DirectWay::online:
      return online(around);
    case DirectWay::pairwise:
      return pairwise(around);
    case DirectWay::koenig:
      return koenig(around);
    case DirectWay::two_pass:
      break;
  }
  return two_pass(around);
}

}  // namespace synthoscope::kernels
