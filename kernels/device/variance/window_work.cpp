// SPDX-License-Identifier: MIT
#include "kernels/device/variance/window_work.hpp"
#include <fmt/format.h>
#include "core/cuda/code/cuda_name.hpp"

namespace synthoscope::kernels::device {

WindowPlaces places_of(const WindowWork& work, std::size_t window, const WorkResults& results) {
  WindowPlaces places;
  if (work.gain) {
    const bool is_last = window + 1 == work.spec.windows.size();
    places.band = {*work.gain, results.bands, is_last ? results.out.front() : nullptr, window == 0};
    return places;
  }
  places.statistics = statistic_places(work.spec, window, results.out);
  return places;
}

StatisticPlaces statistic_places(const LocalVarianceSpec& spec, std::size_t window,
                                 std::span<std::byte* const> out) {
  StatisticPlaces places;
  for (std::size_t i = 0; i < spec.statistics.size(); ++i) {
    void*& place = spec.statistics[i] == LocalStatistic::mean       ? places.mean
                   : spec.statistics[i] == LocalStatistic::variance ? places.variance
                                                                    : places.root;
    place = out[window * spec.statistics.size() + i];
  }
  return places;
}

std::string results_name(const WindowWork& work) {
  return fmt::format("{}<{}>", work.gain ? "ContrastResults" : "StatisticResults",
                     cuda::cuda_name(work.spec.type));
}

}  // namespace synthoscope::kernels::device
