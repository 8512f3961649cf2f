// SPDX-License-Identifier: MIT
// bench/gpu/link_case.hpp — volumes that the host holds, and a ring that devices convolve them by.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/device_rates.hpp"
#include "core/run/host_buffer.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"

namespace synthoscope::bench {

inline constexpr std::int64_t kKernel = 101, kPlanes = 128, kChecked = 200;  // kPlanes of the ring
inline constexpr std::int64_t kBatchBytes = std::int64_t{64} << 20;

inline std::uint32_t hashed(std::int64_t index) {
  auto i = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>(i >> 48);  // 16 bits
}

/// A voxel of the image; floats are what their 16 bits are over 65536.
template <class T>
T voxel_of(std::int64_t index) {
  const std::uint32_t bits = hashed(index);
  return std::is_same_v<T, float> ? static_cast<T>(static_cast<float>(bits) * 0x1p-16F)
                                  : static_cast<T>(bits);
}

/// Positive, of sum 1, and steep, so that results differ from voxel to voxel.
inline Volume<float> make_kernel() {
  Volume<float> kernel{{kKernel, kKernel, kKernel}};
  double sum = 0;
  const auto c = static_cast<double>(kKernel / 2);
  for (std::size_t i = 0; i < kernel.voxels.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double z = static_cast<double>(at / (kKernel * kKernel)) - c,
                 y = static_cast<double>(at / kKernel % kKernel) - c,
                 x = static_cast<double>(at % kKernel) - c;
    kernel.voxels[i] =
        static_cast<float>((0.5 + hashed(at + 77) * 0x1p-16) / (1 + z * z + y * y + x * x));
    sum += static_cast<double>(kernel.voxels[i]);
  }
  for (float& v : kernel.voxels) v = static_cast<float>(static_cast<double>(v) / sum);
  return kernel;
}

/// Image or result in one of the two memories; pinned memory is as costly as it is said to be.
class LinkMemory {
 public:
  LinkMemory(cuda::DeviceId device, MemoryBudget& budget, std::int64_t bytes, HostMemory kind)
      : memory{kind} {
    if (memory == HostMemory::pinned)
      pinned_ = {device, budget, bytes, "voxels"};
    else
      ordinary_ = {budget, bytes, "voxels"};
  }
  [[nodiscard]] std::byte* data() const {
    return memory == HostMemory::pinned ? pinned_.data() : ordinary_.data();
  }
  const HostMemory memory;

 private:
  HostBuffer<std::byte> ordinary_;
  cuda::PinnedBuffer<std::byte> pinned_;
};

/// A ring of kPlanes planes.
inline fftconv::Plan link_plan(const cuda::DeviceInfo& device, std::int64_t device_bytes,
                               std::int64_t host_bytes, const Extent3& extent,
                               std::int64_t voxel_bytes) {
  fftconv::Problem p;
  p.image = extent;
  p.kernel = {kKernel, kKernel, kKernel};
  p.center = {kKernel / 2, kKernel / 2, kKernel / 2};
  p.image_voxel_bytes = p.result_voxel_bytes = 0;
  p.source_voxel_bytes = p.sink_voxel_bytes = voxel_bytes;
  fftconv::Plan plan;
  plan.problem = plan.work = p;
  plan.strategy = fftconv::Strategy::ring;
  plan.transform = fftconv::ring_candidates(p).front().transform;
  plan.transform.z = kPlanes;
  plan.cut.result = {kPlanes - kKernel + 1, extent.y, extent.x};
  plan.cut.batch_planes =
      std::max<std::int64_t>(1, kBatchBytes / (extent.y * extent.x * voxel_bytes));
  plan.where = fftconv::Place::gpu;
  plan.machine.host_bytes = host_bytes;
  plan.machine.gpu = fftconv::Gpu{device.name, device.capability,
                                  fftconv::device::block_limits(device), device_bytes};
  const fftconv::RunMemory memory = fftconv::run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

struct Error {
  double relative_l2 = 0, largest = 0;  ///< of the results' spread; in units of the voxel
};

/// Of some voxels, against sums in double precision.
template <class T>
Error error_of(TaskPool& pool, const Volume<float>& kernel, const Extent3& e, const T* result) {
  std::vector<double> exact(kChecked), found(kChecked);
  pool.for_each(kChecked, [&](std::int64_t i) {
    const auto pick = [&](std::int64_t salt, std::int64_t n) {  // borders among them
      return static_cast<std::int64_t>(hashed(3 * i + salt)) * n / 65536;
    };
    const std::int64_t z = pick(1000, e.z), y = pick(2001, e.y), x = pick(3002, e.x),
                       half = kKernel / 2;
    double sum = 0;
    for (std::int64_t a = std::max<std::int64_t>(0, z - half); a <= std::min(e.z - 1, z + half);
         ++a)
      for (std::int64_t b = std::max<std::int64_t>(0, y - half); b <= std::min(e.y - 1, y + half);
           ++b)
        for (std::int64_t c = std::max<std::int64_t>(0, x - half); c <= std::min(e.x - 1, x + half);
             ++c)
          sum += static_cast<double>(voxel_of<T>((a * e.y + b) * e.x + c)) *
                 static_cast<double>(kernel.view()(z - a + half, y - b + half, x - c + half));
    exact[static_cast<std::size_t>(i)] = sum;
    found[static_cast<std::size_t>(i)] = static_cast<double>(result[(z * e.y + y) * e.x + x]);
  });
  double mean = 0, spread = 0, off = 0, largest = 0;
  for (const double v : exact) mean += v / static_cast<double>(kChecked);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    spread += (exact[i] - mean) * (exact[i] - mean);
    off += (exact[i] - found[i]) * (exact[i] - found[i]);
    largest = std::max(largest, std::abs(exact[i] - found[i]));
  }
  return {std::sqrt(off / spread), largest};
}

}  // namespace synthoscope::bench
