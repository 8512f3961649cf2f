// SPDX-License-Identifier: MIT
// simulator/optics/functions/sinc_taps.hpp — samples along an axis, moved and respaced as weighted
// sums of neighbours.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

/// A wanted sample: sum over i of weights[i] * sample(first + i).
struct Taps {
  std::int64_t first = 0;
  std::vector<double> weights;  ///< empty if no sample is near
};

/// Returns taps for positions start + i * step, 0 <= i < count, relative to `samples` given samples
/// at 0, 1, ..., beyond which all is zero. A sinc of eight samples on each side under Kaiser's
/// window; its weights add up to 1, so that constants are preserved. Exact at samples, and to 1e-4
/// of the peak between them for waves longer than three samples. With `width` > 0 each position is
/// the mean over [-width/2, width/2] around it.
/// @source Kaiser and Schafer, IEEE Trans. Acoust. Speech Signal Process. 28 (1980) 105.
std::vector<Taps> sinc_taps(std::int64_t samples, double start, double step, std::int64_t count,
                            double width);

}  // namespace synthoscope::simulator
