// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/sums.hpp"
#include <algorithm>
#include "core/volume/batches.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/bricks/device_bricks.hpp"

namespace synthoscope::fftconv::device {
namespace {

namespace there = kernels::device;

/// On a GPU all weights hold the same. Null in a build that has no code for it.
std::unique_ptr<kernels::Operation> any_sum_there(const Problem& p, Strategy strategy) {
  auto operation = std::move(any_sums(p, strategy).back());
  return operation->on_device() ? std::move(operation) : nullptr;
}

RunMemory memory_of_bricks(const Problem& p, const kernels::BrickPlan& bricks) {
  const std::int64_t windows = kBatches * there::slot_bytes(bricks.window_bytes),
                     results = kBatches * there::slot_bytes(bricks.result_bytes);
  return {{{"windows of the image", windows},
           {"results of windows", results},
           {std::string{kThreadScratch}, gpu_sums_thread_bytes(p, bricks.brick)}},
          {{"windows of the image", windows},
           {"results of windows", results},
           {"weights, and what lies between passes", bricks.working_bytes}}};
}

/// Measured on an H200; scaled by the rate at which this GPU copies.
double sums_seconds_there(const Problem& p, Strategy strategy, const Gpu& gpu) {
  const double voxel = strategy == Strategy::separable ? there::device_separable_seconds(p.kernel)
                                                       : there::device_direct_seconds(p.kernel);
  return voxel * static_cast<double>(volume(output_extent(p))) * kReferenceGpuRates.copy /
         gpu.rates.copy;
}

/// Windows come, are summed, and results go at the same time, but for the first and the last.
double run_seconds_there(const Candidate& c, double sums, double bricks, const Machine& machine) {
  const cuda::DeviceRates& link = machine.gpu->rates;
  const MachineRates& host = machine.rates;
  const auto up = static_cast<double>(c.up_bytes), down = static_cast<double>(c.down_bytes),
             read = static_cast<double>(c.read_bytes),
             written = static_cast<double>(c.written_bytes);
  const double both =
      std::max({up / link.pinned_up, down / link.pinned_down, (up + down) / link.pinned_both});
  // From a file to pinned memory, and from there to what is stored
  const double staged = (2 * up + down + written) / host.memory_bytes_per_second +
                        file_copy_seconds(read + written, host);
  const double disk =
      read / host.disk_read_bytes_per_second + written / host.disk_write_bytes_per_second;
  const double overlapped = at_the_same_time({both, sums, staged, disk});
  const double in_turn = both + sums + staged + disk;
  return start_seconds(machine) + overlapped + (in_turn - overlapped) / bricks +
         bricks * kBatchSeconds;
}

}  // namespace

std::string why_no_gpu_sums(const Problem& p, Strategy strategy) {
  if (const std::string why_not = why_no_sums(p, strategy); !why_not.empty()) return why_not;
  if (p.precision != Precision::float32)
    return "a GPU computes in single precision; use --precision single, or --gpus none";
  if (!any_sum_there(p, strategy)) return "this program was built without CUDA; use --gpus none";
  return "";
}

std::int64_t gpu_sums_thread_bytes(const Problem& p, const Extent3& brick) {
  return brick.y * brick.x * p.sink_voxel_bytes;
}

RunMemory gpu_sums_memory(const Problem& p, Strategy strategy, const Extent3& brick) {
  const auto operation = any_sum_there(p, strategy);
  return memory_of_bricks(p, there::cut_on_device(*operation, p.source_voxel_bytes, brick));
}

std::vector<Candidate> gpu_sums_candidates(const Problem& p, Strategy strategy,
                                           const Machine& machine) {
  const auto operation = any_sum_there(p, strategy);
  const Extent3 results = output_extent(p);
  const std::int64_t plane = gpu_sums_thread_bytes(p, results);
  const kernels::BrickPlan bricks = there::best_bricks_on_device(
      *operation, p.image, p.source_voxel_bytes, p.order,
      {machine.gpu->memory_bytes, {std::max<std::int64_t>(0, machine.host_bytes - plane)}});
  if (!there::why_not_counted(*operation, bricks).empty()) return {};
  Candidate c;
  c.where = Place::gpu;
  c.strategy = strategy;
  c.transform = {1, 1, 1};
  c.cut.result = bricks.brick;
  const RunMemory memory = memory_of_bricks(p, bricks);
  c.memory_bytes = sum_of(memory.host);
  c.device_bytes = sum_of(memory.device);
  c.up_bytes = bricks.voxels_held * p.source_voxel_bytes;
  c.down_bytes = volume(results) * std::int64_t{sizeof(float)};
  c.read_bytes = bricks.voxels_held * p.image_voxel_bytes;
  c.written_bytes = volume(results) * p.result_voxel_bytes;
  c.seconds = run_seconds_there(c, sums_seconds_there(p, strategy, *machine.gpu),
                                static_cast<double>(brick_count(bricks)), machine);
  return {c};
}

}  // namespace synthoscope::fftconv::device
