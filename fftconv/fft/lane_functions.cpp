// SPDX-License-Identifier: MIT
#include "fftconv/fft/lane_functions.hpp"
#include <vector>

namespace synthoscope::fftconv {

template <class Real>
std::span<const LaneFunctions<Real>* const> available_lane_functions() {
  static const auto kSets = [] {
    std::vector<const LaneFunctions<Real>*> sets;
    for_supported_levels([&](auto at) { sets.push_back(&lane_functions<Real, at.value>()); });
    return sets;
  }();
  return kSets;
}

template std::span<const LaneFunctions<float>* const> available_lane_functions();
template std::span<const LaneFunctions<double>* const> available_lane_functions();

}  // namespace synthoscope::fftconv
