// SPDX-License-Identifier: MIT
#include "jobs/bricks/brick_place.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/operation/run_bricks.hpp"

namespace synthoscope::jobs {

PlacedBricks BrickPlace::plan(kernels::Operation& operation, const Extent3& image, PixelType type,
                              BoxOrder order, double host_seconds, std::int64_t held) {
  const RunContext context = workspace_.context();
  const auto memory = [&]() -> kernels::BrickMemory {
    // What CUDA takes of the host counts, too
    const std::int64_t left = workspace_.count_growth() - held;
    return {left, context.memory.limit() - left};
  };
  if (is_for_gpu(operation, host_seconds)) try {
      return {gpu_.device(), kernels::device::plan_bricks_on_device(
                                 operation, image, type, order, {gpu_.memory_bytes(), memory()})};
    } catch (const PlanError&) {
      if (!gpu_.is_automatic()) throw;
    } catch (const CudaError&) {
      if (!gpu_.is_automatic()) throw;
    }
  if (operation.is_for_devices_alone())
    throw InvalidSpec(
        fmt::format("{}: this strategy needs a GPU, and none is used; give --gpus all if there is "
                    "one, or another strategy",
                    command_));
  return {nullptr,
          kernels::plan_bricks(operation, image, type, order, memory(), context.pool.threads())};
}

bool BrickPlace::is_for_gpu(kernels::Operation& operation, double host_seconds) {
  if (operation.on_device())
    return (!gpu_.is_automatic() || operation.is_for_devices_alone() ||
            host_seconds >
                fftconv::device::kGpuStartSeconds * workspace_.context().pool.threads()) &&
           gpu_.device() != nullptr;
  if (!gpu_.is_automatic() && choice_.gpus != "none") {
    (void)gpu_.device();  // where there is none, or it is built without, that is what is wrong
    throw InvalidSpec(fmt::format(
        "{} on GPUs {}: this strategy works only on the host; give --gpus none, or leave it out",
        command_, choice_.gpus));
  }
  return false;
}

void BrickPlace::run(const PlacedBricks& plan, kernels::Operation& operation, Source& source,
                     std::span<Sink* const> sinks, const RunContext& context) {
  if (!plan.device) return kernels::run_bricks(plan.bricks, operation, source, sinks, context);
  if (!gpu_memory_) gpu_memory_.emplace(gpu_.memory_bytes(), 0, "--gpu-memory");
  kernels::device::run_bricks_on_device(plan.bricks, operation, source, sinks, *plan.device,
                                        *gpu_memory_, context);
}

}  // namespace synthoscope::jobs
