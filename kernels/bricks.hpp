// SPDX-License-Identifier: MIT
// kernels/bricks.hpp — results larger than memory are made brick by brick, each from the window of
// the image that it needs.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include "core/run_context.hpp"
#include "core/stream.hpp"
#include "kernels/operation.hpp"

namespace synthoscope::kernels {

/// How results are cut, and what that takes. Plain data of a pure function.
struct BrickPlan {
  Extent3 brick;  ///< the last ones along each axis may be smaller
  std::int64_t bricks = 0;
  std::int64_t window_bytes = 0;  ///< the largest window
  std::int64_t result_bytes = 0;  ///< all results of a brick
  std::int64_t working_bytes = 0;
  std::int64_t voxels_read = 0;  ///< of the image, all windows together; more than once where they
                                 ///< overlap
  friend bool operator==(const BrickPlan&, const BrickPlan&) = default;

  [[nodiscard]] std::int64_t bytes() const { return window_bytes + result_bytes + working_bytes; }
};

/// The bricks that read least, of a size for caches and queues, within `memory_bytes`.
/// @param order  of the sinks: planes_in_order wants bricks of whole planes.
/// @throws PlanError  not even the smallest fits; says how much would do.
BrickPlan plan_bricks(const Operation& operation, PixelType image_type, BoxOrder order,
                      std::int64_t memory_bytes, int threads);

/// "32 bricks of 16x512x512, 1.1 voxels read for each of the image, 40 MiB".
std::string explain(const BrickPlan& plan, const Extent3& image);

/// Makes every result of `operation` from `source` and writes it to its sink, which stays open.
/// @throws PlanError    the budget has no room for plan.bytes().
/// @throws Interrupted  context.stop was set.
/// @throws what source, operation and sinks throw.
void run_bricks(const BrickPlan& plan, Operation& operation, Source& source,
                std::span<Sink* const> sinks, const RunContext& context);

}  // namespace synthoscope::kernels
