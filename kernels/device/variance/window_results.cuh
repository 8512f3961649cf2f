// SPDX-License-Identifier: MIT
// kernels/device/variance/window_results.cuh — what is made from windows whose parts are merged:
// statistics of each, or the image with weighted bands between them.
#pragma once
#include "kernels/device/code/window.cuh"
#include "kernels/device/variance/variance_arguments.hpp"

namespace synthoscope::kernels::device {

template <class Out>
class StatisticResults {
 public:
  /// @param i  index of the voxel in results
  template <class Real>
  void store(const StatisticPlaces& to, Count i, Real mean, Real variance) {
    if (to.mean != nullptr) static_cast<Out*>(to.mean)[i] = storing_.make(static_cast<float>(mean));
    if (to.variance != nullptr)
      static_cast<Out*>(to.variance)[i] = storing_.make(static_cast<float>(variance));
    if (to.root != nullptr)
      static_cast<Out*>(to.root)[i] = storing_.make(static_cast<float>(std::sqrt(variance)));
  }
  void store(const WindowPlaces& to, Count i, const Part& part) {
    store(to.statistics, i, part.voxel + part.offset, part.variance);
  }
  /// Called once by each thread, at its end.
  void finish(unsigned long long* counts) const { storing_.add_to(counts); }

 private:
  Storing<Out> storing_;
};

/// Windows of a voxel come in order, separated by a barrier of the block or in separate launches.
template <class Out>
class ContrastResults {
 public:
  void store(const WindowPlaces& to, Count i, const Part& part) {
    const BandArguments& a = to.band;
    if (a.sums == nullptr) return;
    const BandSum before = a.is_first ? BandSum{} : a.sums[i];
    const BandSum all = with_band(before, part, a.gain);
    if (a.out != nullptr)
      static_cast<Out*>(a.out)[i] = storing_.make(with_contrast(all, part));
    else
      a.sums[i] = all;
  }
  void finish(unsigned long long* counts) const { storing_.add_to(counts); }

 private:
  Storing<Out> storing_;
};

}  // namespace synthoscope::kernels::device
