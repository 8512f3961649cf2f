// SPDX-License-Identifier: MIT
// kernels/device/window_work.hpp — what a device makes of windows whose parts it has merged.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include "kernels/body/contrast.hpp"
#include "kernels/device/variance_arguments.hpp"
#include "kernels/local_variance.hpp"

namespace synthoscope::kernels::device {

/// Statistics of each window; or, with a gain, the image with the bands between windows weighed.
struct WindowWork {
  LocalVarianceSpec spec;  ///< with a gain, of no statistics
  std::optional<ContrastGain> gain;
};

/// Memory of the device that a call of DeviceOperation::enqueue_apply writes.
struct WorkResults {
  std::span<std::byte* const> out;
  BandSum* bands = nullptr;  ///< of the voxels of results, where the work has a gain
  unsigned long long* counts = nullptr;
};

/// Where the statistics of the window number `window` go, of `out` as local_variance has results.
StatisticPlaces statistic_places(const LocalVarianceSpec& spec, std::size_t window,
                                 std::span<std::byte* const> out);

/// Where goes what is made of the window number `window`.
WindowPlaces places_of(const WindowWork& work, std::size_t window, const WorkResults& results);

/// "StatisticResults<float>": what kernels hand parts of windows to.
std::string results_name(const WindowWork& work);

}  // namespace synthoscope::kernels::device
