// SPDX-License-Identifier: MIT
// kernels/operation/bricks.hpp — results are made brick by brick, each from the window of the image
// that it needs, so that neither has to fit into memory.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include "core/base/round_up.hpp"
#include "core/stream/stream.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::kernels {

/// How results are cut into bricks, and the memory that this needs. Plain data of a pure function;
/// results do not depend on the cut.
struct BrickPlan {
  Extent3 result;                 ///< of each result
  Extent3 brick;                  ///< the last one along an axis may be smaller
  std::int64_t window_bytes = 0;  ///< the largest window
  std::int64_t result_bytes = 0;  ///< all results of a brick
  std::int64_t working_bytes = 0;
  std::int64_t travelling_bytes = 0;  ///< sent to a device with a window (DeviceOperation)
  std::int64_t voxels_held = 0;  ///< of the image, by all windows in total: more than it has if
                                 ///< they overlap
  friend bool operator==(const BrickPlan&, const BrickPlan&) = default;

  [[nodiscard]] std::int64_t bytes() const { return moved_bytes() + working_bytes; }
  /// Returns the bytes that are read and written for a brick.
  [[nodiscard]] std::int64_t moved_bytes() const {
    return window_bytes + result_bytes + travelling_bytes;
  }
};

/// Limit of moved_bytes: larger bricks leave the caches between reading, computing and writing.
/// Bricks may exceed it if the windows of smaller ones would overlap by more than kMaxOverlap of
/// the image.
inline constexpr std::int64_t kLargestBrickBytes = std::int64_t{16} << 20;
inline constexpr double kMaxOverlap = 0.25;

/// Returns the bricks whose windows overlap least, of a size for caches, within `memory_bytes`; if
/// none fit, the bricks that need least memory.
/// @param order  of the sinks: planes_in_order requires bricks of whole planes.
BrickPlan best_bricks(const Operation& operation, const Extent3& image,
                      std::int64_t image_voxel_bytes, BoxOrder order, std::int64_t memory_bytes,
                      int threads, std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// What is left of a budget, which may be negative, and what else is held.
struct BrickMemory {
  std::int64_t bytes = 0, besides = 0;
};

/// Returns best_bricks if they fit.
/// @throws PlanError  not even the smallest bricks fit; names the least sufficient budget.
BrickPlan plan_bricks(const Operation& operation, const Extent3& image, PixelType image_type,
                      BoxOrder order, const BrickMemory& memory, int threads,
                      std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// Returns "bricks of 1x1x64 with their windows need 3 MiB and what else is held 24 MiB, the
/// budget is 25 MiB; give --memory 28311552 or more".
std::string too_little_memory(const Extent3& brick, std::int64_t needed, const BrickMemory& memory);

/// Returns the plan for bricks of this size, with the memory it needs.
BrickPlan cut_into(const Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick,
                   int threads);

/// Returns the bytes of one result of a brick, rounded up to align the next one for vectors.
inline std::int64_t result_bytes(const Extent3& brick, PixelType type) {
  return round_up<std::int64_t>(volume(brick) * size_of(type), 64);
}

/// Return the number of bricks, and their boxes; z is fastest, so that consecutive windows often
/// overlap.
std::int64_t brick_count(const BrickPlan& plan);
Box3 brick_at(const BrickPlan& plan, std::int64_t i);

/// Returns the voxels of a result that these bricks make.
std::int64_t voxels_of(const BrickPlan& plan, std::span<const std::int64_t> bricks);

/// Returns "32 bricks of 16x512x512 from windows of up to 18 MiB, 1.12 times the image together; 40
/// MiB".
std::string explain(const BrickPlan& plan, const Extent3& image);

}  // namespace synthoscope::kernels
