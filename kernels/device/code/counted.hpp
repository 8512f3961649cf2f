// SPDX-License-Identifier: MIT
// kernels/device/code/counted.hpp — counts on a device of voxels that storing changed.
#pragma once
#include <array>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/store_as.hpp"

namespace synthoscope::kernels::device {

/// Counts of clipped and of non-finite voxels, as MadeVoxels::counts. A run can leave them out.
class DeviceCounts {
 public:
  static constexpr std::int64_t kBytes = 2 * sizeof(unsigned long long);

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) {
    counts_ = {};  // frees what a failed run left
    if (!gpu.counts) return;
    counts_ = {gpu.device.id, gpu.memory, 2, "counts of voxels"};
    cuda::enqueue_zeros(stream, counts_.data(), counts_.bytes());
  }
  [[nodiscard]] unsigned long long* data() const { return counts_.data(); }

  /// Returns the counts and frees the memory. Waits, unless there are none.
  StoredCounts finish(const cuda::Stream& stream) {
    if (counts_.count() == 0) return {};
    std::array<unsigned long long, 2> counts{};
    cuda::enqueue_copy(stream, counts.data(), counts_.data(), counts_.bytes());
    stream.finish();
    counts_ = {};
    return {static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
  }

 private:
  cuda::DeviceBuffer<unsigned long long> counts_;
};

}  // namespace synthoscope::kernels::device
