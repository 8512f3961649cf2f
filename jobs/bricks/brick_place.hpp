// SPDX-License-Identifier: MIT
// jobs/bricks/brick_place.hpp — where bricks are made: on the host, or on a GPU that is there and
// worth its start.
#pragma once
#include <optional>
#include <span>
#include <string>
#include "core/stream/stream.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "jobs/machine/workspace.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::jobs {

/// How bricks are cut for where they are made.
struct PlacedBricks {
  const cuda::DeviceInfo* device = nullptr;  ///< null: the host
  kernels::BrickPlan bricks;
};

/// Chooses for the operations of one job.
class BrickPlace {
 public:
  /// @param command  the name of the job, for messages. All outlive this.
  BrickPlace(std::string command, const GpuChoice& choice, Workspace& workspace)
      : command_{std::move(command)},
        choice_{choice},
        gpu_{choice, workspace},
        workspace_{workspace} {}

  /// @param host_seconds  predicted seconds of one thread: a GPU is started for a short run only if
  ///                      it is requested
  /// @param held  further memory of the host that is used while the plan is carried out
  /// @throws as plan_bricks and plan_bricks_on_device.
  /// @throws InvalidSpec  a GPU is requested and the operation has no code for it; or a GPU is
  ///                      needed and there is none.
  PlacedBricks plan(kernels::Operation& operation, const Extent3& image, PixelType type,
                    BoxOrder order, double host_seconds, std::int64_t held);

  /// @throws as run_bricks and run_bricks_on_device.
  void run(const PlacedBricks& plan, kernels::Operation& operation, Source& source,
           std::span<Sink* const> sinks, const RunContext& context);

 private:
  [[nodiscard]] bool is_for_gpu(kernels::Operation& operation, double host_seconds);

  std::string command_;
  const GpuChoice& choice_;
  GpuInUse gpu_;
  Workspace& workspace_;
  std::optional<MemoryBudget> gpu_memory_;  ///< outlives operations that hold some of it
};

}  // namespace synthoscope::jobs
