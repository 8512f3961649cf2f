// SPDX-License-Identifier: MIT
// bench/timed_on_gpu.hpp — how long a GPU takes for work on a stream.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>
#include "core/cuda/runtime/stream.hpp"

namespace synthoscope::bench {

/// Milliseconds, the middle of nine runs after three that warm up.
inline double timed(const cuda::Stream& stream, const std::function<void()>& work) {
  cuda::Event from{stream.device()}, to{stream.device()};
  std::vector<double> seconds;
  for (int i = 0; i < 12; ++i) {
    from.record(stream);
    work();
    to.record(stream);
    if (i >= 3) seconds.push_back(cuda::seconds_between(from, to));
  }
  std::nth_element(seconds.begin(), seconds.begin() + 4, seconds.end());
  return 1e3 * seconds[4];
}

}  // namespace synthoscope::bench
