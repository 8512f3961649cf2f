// SPDX-License-Identifier: MIT
// tools/jobs/brick_place.hpp — where bricks are made: on the host, or on a GPU that is there and
// worth its start.
#pragma once
#include <optional>
#include <span>
#include <string>
#include "core/stream/stream.hpp"
#include "kernels/operation/bricks.hpp"
#include "tools/options/gpu.hpp"
#include "tools/options/run.hpp"

namespace synthoscope::tools {

/// How bricks are cut for where they are made.
struct PlacedBricks {
  const cuda::DeviceInfo* device = nullptr;  ///< null: the host
  kernels::BrickPlan bricks;
};

/// Chooses for the operations of one command.
class BrickPlace {
 public:
  /// @param command  its name, for messages. All outlive this.
  BrickPlace(std::string command, const GpuOptions& options, Session& session, Log& log)
      : command_{std::move(command)}, options_{options}, gpu_{options, log}, session_{session} {}

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
  const GpuOptions& options_;
  GpuInUse gpu_;
  Session& session_;
  std::optional<MemoryBudget> gpu_memory_;  ///< outlives operations that hold some of it
};

}  // namespace synthoscope::tools
