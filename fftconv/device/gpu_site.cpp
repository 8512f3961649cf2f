// SPDX-License-Identifier: MIT
#include "fftconv/device/gpu_site.hpp"
#include <algorithm>
#include <numeric>
#include "fftconv/device/device_cost.hpp"
#include "fftconv/run_memory.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Larger batches fill the link no better, and the first one makes all wait.
constexpr std::int64_t kLargestBatchBytes = std::int64_t{64} << 20;
constexpr std::size_t kFewLengths = 4;

std::int64_t sum_of(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const MemoryItem& item) { return sum + item.bytes; });
}

}  // namespace

std::vector<std::int64_t> GpuSite::lengths(std::int64_t least, LineKind kind) const {
  const BlockLimits& limits = machine_.gpu->limits;
  std::vector<std::pair<double, std::int64_t>> found;
  // Longer ones cost as much more as they are longer
  const std::int64_t longest = limits.shared_bytes / kValueBytes;
  for (std::int64_t n = least; n <= std::min(least + least / 3 + 2, longest); ++n)
    if (is_device_length(n, limits))
      found.emplace_back(static_cast<double>(n) * copies_of(n, kind, limits), n);
  for (std::int64_t n = least + least / 3 + 3; found.empty() && n <= std::min(2 * least, longest);
       ++n)
    if (is_device_length(n, limits)) found.emplace_back(1, n);
  std::sort(found.begin(), found.end());
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < std::min(found.size(), kFewLengths); ++i)
    lengths.push_back(found[i].second);
  return lengths;
}

Candidate GpuSite::measured(Strategy strategy, const Problem& work, const Extent3& transform,
                            const Cut& cut) const {
  const Layout layout = make_layout(work, transform, cut);
  DeviceLayout sizes = sizes_of(work, layout, cut);
  const RunCost bytes = moved_on_disk(layout, work, cut, machine_.rates);
  const GpuWork gpu = gpu_work(layout, work, cut, sizes, *machine_.gpu);
  const bool in_turns = strategy != Strategy::in_core;

  Candidate best;
  const std::int64_t planes = std::max({layout.z.loaded, layout.z.kernel_count, layout.z.wanted});
  const std::int64_t most = std::clamp<std::int64_t>(kLargestBatchBytes / travelling_bytes(sizes),
                                                     1, std::min(planes, kMostBatchPlanes));
  for (std::int64_t batch = 1; batch <= most; batch *= 2) {
    sizes.batch_planes = batch;
    const RunMemory memory = gpu_run_memory(work, layout, sizes);
    Candidate c;
    c.where = Place::gpu;
    c.strategy = strategy;
    c.transform = transform;
    c.cut = cut;
    c.cut.batch_planes = batch;
    c.memory_bytes = sum_of(memory.host);
    c.device_bytes = sum_of(memory.device);
    c.up_bytes = static_cast<std::int64_t>(std::min(gpu.up_bytes, 0x1p62));
    c.down_bytes = static_cast<std::int64_t>(std::min(gpu.down_bytes, 0x1p62));
    c.seconds = gpu_run_seconds(gpu, bytes, sizes, in_turns, machine_);
    c.read_bytes = bytes.read_bytes;
    c.written_bytes = bytes.written_bytes;
    c.scratch_bytes = bytes.scratch_bytes;
    const bool fits =
        c.memory_bytes <= machine_.host_bytes && c.device_bytes <= machine_.gpu->memory_bytes;
    if (batch == 1 || (fits && c.seconds < best.seconds)) best = c;
  }
  return best;
}

}  // namespace synthoscope::fftconv::device
