// SPDX-License-Identifier: MIT
// kernels/device/variance/window_work.hpp — what a device makes from windows whose parts it has
// merged.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include "kernels/body/contrast.hpp"
#include "kernels/device/variance/variance_arguments.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::kernels::device {

/// Statistics of each window; or, with a gain, the image with weighted bands between windows.
struct WindowWork {
  LocalVarianceSpec spec;  ///< with a gain, without statistics
  std::optional<ContrastGain> gain;
};

/// Memory of the device that a call of DeviceOperation::enqueue_apply writes.
struct WorkResults {
  std::span<std::byte* const> out;
  BandSum* bands = nullptr;  ///< of the voxels of results, if the work has a gain
  unsigned long long* counts = nullptr;
};

/// Returns where the statistics of window number `window` are stored in `out`, which is ordered as
/// the results of local_variance.
StatisticPlaces statistic_places(const LocalVarianceSpec& spec, std::size_t window,
                                 std::span<std::byte* const> out);

/// Returns where the results of window number `window` are stored.
WindowPlaces places_of(const WindowWork& work, std::size_t window, const WorkResults& results);

/// Returns the class in device code that stores results of windows: "StatisticResults<float>".
std::string results_name(const WindowWork& work);

}  // namespace synthoscope::kernels::device
