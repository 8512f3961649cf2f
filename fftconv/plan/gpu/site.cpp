// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/site.hpp"
#include <algorithm>
#include "fftconv/lines/tuned_lines.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Larger batches fill the link no better, and the first one makes all wait.
constexpr std::int64_t kLargestBatchBytes = std::int64_t{64} << 20;
constexpr std::size_t kFewLengths = 4;

/// Lengths from `least` on that `suits`, as Site::lengths gives them; preferred ones if there are
/// any.
template <class Suits>
std::vector<std::int64_t> cheapest_lengths(std::int64_t least, LineKind kind,
                                           const BlockLimits& limits, Suits&& suits) {
  std::vector<std::pair<double, std::int64_t>> found;
  // Longer ones cost more in proportion to their length
  const std::int64_t longest = limits.shared_bytes / kValueBytes;
  for (std::int64_t n = least; n <= std::min(least + least / 3 + 2, longest); ++n)
    if (suits(n)) found.emplace_back(static_cast<double>(n) * copies_of(n, kind, limits), n);
  const auto others = std::partition(found.begin(), found.end(), [&](const auto& length) {
    return is_preferred(length.second, kind, limits);
  });
  if (others != found.begin()) found.erase(others, found.end());
  for (std::int64_t n = least + least / 3 + 3; found.empty() && n <= std::min(2 * least, longest);
       ++n)
    if (suits(n)) found.emplace_back(1, n);
  std::sort(found.begin(), found.end());
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < std::min(found.size(), kFewLengths); ++i)
    lengths.push_back(found[i].second);
  return lengths;
}

std::int64_t most_at_once(std::int64_t plane_bytes, std::int64_t planes) {
  return std::clamp<std::int64_t>(kLargestBatchBytes / plane_bytes, 1,
                                  std::min(planes, kMaxBatchPlanes));
}

std::int64_t in_bytes(double bytes) {
  return static_cast<std::int64_t>(std::min(bytes, 0x1p62));
}

Candidate candidate_of(Strategy strategy, const Layout& layout, const Cut& cut,
                       const RunCost& moved) {
  Candidate c;
  c.where = Place::gpu;
  c.strategy = strategy;
  c.transform = layout.transform;
  c.cut = cut;
  c.read_bytes = moved.read_bytes;
  c.written_bytes = moved.written_bytes;
  c.scratch_bytes = moved.scratch_bytes;
  return c;
}

/// Chooses the fastest batch that fits both memories; one plane if none fits.
/// @param set  computes memory and seconds for batches of cut.batch_planes
template <class Set>
Candidate with_best_batch(Candidate c, std::int64_t most, const Machine& machine, Set&& set) {
  Candidate best;
  for (std::int64_t batch = 1; batch <= most; batch *= 2) {
    c.cut.batch_planes = batch;
    const RunMemory memory = set(c);
    c.memory_bytes = sum_of(memory.host);
    c.device_bytes = sum_of(memory.device);
    const bool fits =
        c.memory_bytes <= machine.host_bytes && c.device_bytes <= machine.gpu->memory_bytes;
    if (batch == 1 || (fits && c.seconds < best.seconds)) best = c;
  }
  return best;
}

}  // namespace

std::vector<std::int64_t> GpuSite::lengths(std::int64_t least, LineKind kind) const {
  const BlockLimits& limits = machine_.gpu->limits;
  return cheapest_lengths(least, kind, limits,
                          [&](std::int64_t n) { return is_device_length(n, limits); });
}

bool GpuSite::can_transform(std::int64_t length) const {
  return is_device_length(length, machine_.gpu->limits);
}

std::vector<std::int64_t> GpuSite::part_rows(std::int64_t least) const {
  const BlockLimits& limits = machine_.gpu->limits;
  return cheapest_lengths(least, LineKind::row, limits, [&](std::int64_t n) {
    return n % 2 == 0 && is_device_length(n, limits);
  });
}

Candidate GpuSite::measured(Strategy strategy, const Problem& work, const Extent3& transform,
                            const Cut& cut) const {
  Cut by_library = cut;
  by_library.fft = library_;
  const Layout layout = make_layout(work, transform, by_library);
  return strategy == Strategy::parts ? in_parts(work, layout, by_library)
                                     : in_passes(strategy, work, layout, by_library);
}

Candidate GpuSite::in_passes(Strategy strategy, const Problem& work, const Layout& layout,
                             const Cut& cut) const {
  DeviceLayout sizes = sizes_of(work, layout, cut);
  const RunCost bytes = disk_traffic(layout, work, cut, machine_.rates);
  const GpuWork gpu = gpu_work(layout, work, cut, sizes, *machine_.gpu);
  const std::int64_t planes = std::max({layout.z.loaded, layout.z.kernel_count, layout.z.wanted});
  Candidate c = candidate_of(strategy, layout, cut, bytes);
  c.up_bytes = in_bytes(gpu.up_bytes);
  c.down_bytes = in_bytes(gpu.down_bytes);
  return with_best_batch(
      c, most_at_once(travelling_bytes(sizes), planes), machine_, [&](Candidate& at) {
        sizes.batch_planes = at.cut.batch_planes;
        at.seconds = gpu_run_seconds(gpu, bytes, sizes, strategy != Strategy::in_core, machine_);
        return gpu_run_memory(work, layout, sizes);
      });
}

Candidate GpuSite::in_parts(const Problem& work, const Layout& layout, const Cut& cut) const {
  PartsLayout parts = parts_sizes_of(work, layout, cut);
  RunCost bytes = disk_traffic(layout, work, cut, machine_.rates);
  if (parts.folds_ahead) bytes.read_bytes /= cut.parts;
  const PartsTraffic traffic = parts_traffic(parts, layout);
  Candidate c = candidate_of(Strategy::parts, layout, cut, bytes);
  c.up_bytes = in_bytes(traffic.up);
  c.down_bytes = in_bytes(traffic.down);
  return with_best_batch(
      c, most_at_once(travelling_bytes(parts), std::max(parts.up_planes, parts.down_planes)),
      machine_, [&](Candidate& at) {
        set_batches(parts, at.cut.batch_planes);
        at.seconds = gpu_parts_seconds(traffic, bytes, parts, machine_);
        return gpu_parts_memory(work, layout, parts);
      });
}

}  // namespace synthoscope::fftconv::device
