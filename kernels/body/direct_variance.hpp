// SPDX-License-Identifier: MIT
// kernels/body/direct_variance.hpp — mean and variance of one window from its voxels, as in
// textbooks: references for tests and comparisons of the merges. Host and device compile this file,
// so it includes nothing.
#pragma once

namespace synthoscope::kernels {

template <class Real>
struct Moments {
  Real mean, variance;
};

/// The voxels around one, and the weights of each axis from the first neighbour to the last; the
/// sum of all weights is 1.
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

/// Computes the mean first, then squares of distances from it.
template <class Real>
inline Moments<Real> two_pass(const Neighbourhood<Real>& around) {
  Real mean = 0, variance = 0;
  around.visit([&](Real value, Real weight) { mean += weight * value; });
  around.visit(
      [&](Real value, Real weight) { variance += weight * ((value - mean) * (value - mean)); });
  return {mean, variance};
}

/// Computes König's formula, E[x^2] - E[x]^2. It cancels: in float32 nothing is left of a variance
/// that is 1e7 times smaller than the mean's square, and the result may be negative.
template <class Real>
inline Moments<Real> koenig(const Neighbourhood<Real>& around) {
  Real mean = 0, square = 0;
  around.visit([&](Real value, Real weight) {
    mean += weight * value;
    square += weight * (value * value);
  });
  return {mean, square - mean * mean};
}

/// Adds voxel by voxel, each moving the mean, with weights as in West.
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

/// Parts of 1, 2, 4, ... voxels; each waits for another of its size. The part of 2^k voxels exists
/// if bit k of the number of voxels so far is set. The number of levels, the bits of the number of
/// all voxels, is known at compile time, so that a device holds the parts in registers.
template <class Real, int kLevels>
class PairedParts {
 public:
  __attribute__((always_inline)) inline void add(Real value, Real weight) {
    carry<0>({weight, value, 0});
    ++came_;
  }
  /// Joins the last parts first, each with the part before it.
  __attribute__((always_inline)) inline Moments<Real> all() const {
    const Joined all = rest<0>({}, false);
    return {all.mean, all.sum / all.weight};
  }

 private:
  struct Joined {
    Real weight, mean, sum;
  };

  static __attribute__((always_inline)) inline Joined joined(const Joined& before,
                                                             const Joined& after) {
    const Real weight = before.weight + after.weight, apart = after.mean - before.mean;
    const Real share = after.weight / weight;
    return {weight, before.mean + apart * share,
            before.sum + (after.sum + before.weight * share * (apart * apart))};
  }
  template <int kLevel>
  __attribute__((always_inline)) inline void carry(const Joined& part) {
    if constexpr (kLevel < kLevels) {
      if ((came_ >> kLevel & 1) == 0)
        parts_[kLevel] = part;
      else
        carry<kLevel + 1>(joined(parts_[kLevel], part));
    }
  }
  template <int kLevel>
  __attribute__((always_inline)) inline Joined rest(const Joined& last, bool is_there) const {
    if constexpr (kLevel < kLevels) {
      const bool is_here = (came_ >> kLevel & 1) != 0;
      Joined next = last;
      if (is_here) next = is_there ? joined(parts_[kLevel], last) : parts_[kLevel];
      return rest<kLevel + 1>(next, is_there || is_here);
    } else {
      return last;
    }
  }

  Joined parts_[kLevels];
  unsigned came_ = 0;
};

/// Joins halves with halves, recursively.
/// @source  Chan, Golub and LeVeque, The American Statistician 37 (1983) 242,
///          doi:10.1080/00031305.1983.10483115.
template <int kLevels, class Real>
inline Moments<Real> pairwise(const Neighbourhood<Real>& around) {
  PairedParts<Real, kLevels> parts;
  around.visit([&](Real value, Real weight) { parts.add(value, weight); });
  return parts.all();
}

enum class DirectWay { two_pass, online, pairwise, koenig };

/// @param kLevels  of PairedParts
template <int kLevels, class Real>
inline Moments<Real> moments(DirectWay way, const Neighbourhood<Real>& around) {
  switch (way) {
    case DirectWay::online:
      return online(around);
    case DirectWay::pairwise:
      return pairwise<kLevels>(around);
    case DirectWay::koenig:
      return koenig(around);
    case DirectWay::two_pass:
      break;
  }
  return two_pass(around);
}

}  // namespace synthoscope::kernels
