// SPDX-License-Identifier: MIT
// bench/gpu/parts_case.hpp — an image and a kernel as large, whose convolution can be checked, and
// plans for it in parts.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include "core/math/random.hpp"
#include "core/run/task_pool.hpp"
#include "core/volume/view.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "fftconv/plan/gpu/site.hpp"

namespace synthoscope::bench::parts {

using fftconv::Candidate, fftconv::Gpu, fftconv::Machine, fftconv::Plan, fftconv::Problem,
    fftconv::RunMemory, fftconv::Strategy, fftconv::device::block_limits, fftconv::device::GpuSite,
    fftconv::device::parts_sizes_of, fftconv::device::PartsLayout;

inline constexpr std::int64_t kTaps = 2000, kChecked = 100;

struct Tap {
  Index3 at;
  double value = 0;
};

/// Few voxels that are not zero, so that sums in double are cheap.
inline std::vector<Tap> taps_of(std::int64_t side) {
  const RandomStream random{7, RandomStage::phantom};
  std::vector<Tap> taps;
  for (std::uint64_t i = 0; i < kTaps; ++i) {
    const auto b = random.block(i);
    const auto pick = [&](std::uint32_t bits) {
      return static_cast<std::int64_t>(bits) * side >> 32;
    };
    const Tap tap{{pick(b[0]), pick(b[1]), pick(b[2])}, uniform32(b[3]) - 0.25};
    if (std::none_of(taps.begin(), taps.end(), [&](const Tap& t) { return t.at == tap.at; }))
      taps.push_back(tap);
  }
  return taps;
}

inline void fill(HostView3<float> image, TaskPool& pool) {
  const RandomStream random{8, RandomStage::phantom};
  pool.for_ranges(volume(image.extent()), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); i += 4) {
      const auto b = random.block(i);
      for (std::size_t j = 0; j < 4; ++j) image.data()[i + j] = static_cast<float>(uniform32(b[j]));
    }
  });
}

/// Largest error of some voxels over the largest sum of absolutes.
inline double error_of(HostView3<const float> image, const std::vector<Tap>& taps,
                       const Index3& center, HostView3<const float> result) {
  const RandomStream random{9, RandomStage::phantom};
  const std::int64_t side = image.extent().z;
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < side; };
  double worst = 0, peak = 0;
  for (std::uint64_t i = 0; i < kChecked; ++i) {
    const auto b = random.block(i);
    const auto pick = [&](std::uint32_t bits) {
      return static_cast<std::int64_t>(bits) * side >> 32;
    };
    const Index3 o{pick(b[0]), pick(b[1]), pick(b[2])};
    double sum = 0, absolutes = 0;
    for (const Tap& tap : taps) {
      const std::int64_t z = o.z + center.z - tap.at.z, y = o.y + center.y - tap.at.y,
                         x = o.x + center.x - tap.at.x;
      if (!inside(z) || !inside(y) || !inside(x)) continue;
      // As the kernel's voxels are stored
      const double product =
          static_cast<double>(image(z, y, x)) * static_cast<double>(static_cast<float>(tap.value));
      sum += product;
      absolutes += std::abs(product);
    }
    worst = std::max(worst, std::abs(sum - static_cast<double>(result(o.z, o.y, o.x))));
    peak = std::max(peak, absolutes);
  }
  return worst / peak;
}

/// Parts along z; batches of about so many bytes, one plane at least.
inline Plan plan_of(const Problem& problem, std::int64_t parts, bool fold_on_device,
                    std::int64_t batch_bytes, const cuda::DeviceInfo& device) {
  Machine machine{std::int64_t{1} << 50};
  machine.gpu = Gpu{device.name, device.capability, block_limits(device), std::int64_t{1} << 50};
  machine.gpu_only = true;
  Plan plan = plan_convolution(problem, machine, Strategy::parts, parts);
  for (const Candidate& c : parts_candidates(problem, GpuSite{machine}, parts))
    if (!c.cut.along_y && !c.cut.parts_on_disk && c.cut.fold_on_device == fold_on_device) {
      plan.transform = c.transform;
      plan.cut = c.cut;
    }
  plan.work = problem;
  const PartsLayout sizes =
      parts_sizes_of(plan.work, make_layout(plan.work, plan.transform, plan.cut), plan.cut);
  plan.cut.batch_planes = std::max<std::int64_t>(1, batch_bytes / travelling_bytes(sizes));
  const RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

/// Of an image and a kernel as large, float32 from and to memory.
inline Problem problem_of(std::int64_t side) {
  Problem problem;
  problem.image = problem.kernel = {side, side, side};
  problem.source_voxel_bytes = problem.kernel_voxel_bytes = problem.sink_voxel_bytes = 4;
  problem.center = {(side - 1) / 2, (side - 1) / 2, (side - 1) / 2};
  return problem;
}

}  // namespace synthoscope::bench::parts
