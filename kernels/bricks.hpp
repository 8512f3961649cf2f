// SPDX-License-Identifier: MIT
// kernels/bricks.hpp — results are made brick by brick, each from the window of the image that it
// needs, so that neither has to fit into memory.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include "core/base/round_up.hpp"
#include "core/stream/stream.hpp"
#include "kernels/operation.hpp"

namespace synthoscope::kernels {

/// How results are cut, and what that takes. Plain data of a pure function; results are the same
/// for every cut.
struct BrickPlan {
  Extent3 result;                 ///< of each result
  Extent3 brick;                  ///< the last one along an axis may be smaller
  std::int64_t window_bytes = 0;  ///< the largest window
  std::int64_t result_bytes = 0;  ///< all results of a brick
  std::int64_t working_bytes = 0;
  std::int64_t travelling_bytes = 0;  ///< to a device, with a window (DeviceOperation)
  std::int64_t voxels_held = 0;  ///< of the image, by all windows together: more than it has where
                                 ///< they overlap
  friend bool operator==(const BrickPlan&, const BrickPlan&) = default;

  [[nodiscard]] std::int64_t bytes() const { return moved_bytes() + working_bytes; }
  /// What is read and written for a brick.
  [[nodiscard]] std::int64_t moved_bytes() const {
    return window_bytes + result_bytes + travelling_bytes;
  }
};

/// Larger bricks leave the caches between reading, computing and writing: what is moved for them
/// counts. Bricks become no smaller for it where their windows would overlap by more than
/// kMostOverlap of the image.
inline constexpr std::int64_t kLargestBrickBytes = std::int64_t{16} << 20;
inline constexpr double kMostOverlap = 0.25;

/// The bricks whose windows overlap least, of a size for caches, within `memory_bytes`; those
/// that take least where none fit.
/// @param order  of the sinks: planes_in_order wants bricks of whole planes.
BrickPlan best_bricks(const Operation& operation, const Extent3& image,
                      std::int64_t image_voxel_bytes, BoxOrder order, std::int64_t memory_bytes,
                      int threads, std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// What is left of a budget, which may be less than nothing, and what is held beside it.
struct BrickMemory {
  std::int64_t bytes = 0, besides = 0;
};

/// The same, which fit.
/// @throws PlanError  not even the smallest bricks fit; names the least budget that would do.
BrickPlan plan_bricks(const Operation& operation, const Extent3& image, PixelType image_type,
                      BoxOrder order, const BrickMemory& memory, int threads,
                      std::int64_t largest_brick_bytes = kLargestBrickBytes);

/// "bricks of 1x1x64 with their windows need 3 MiB and what is held besides 24 MiB, the budget is
/// 25 MiB; give --memory 28311552 or more".
std::string too_little_memory(const Extent3& brick, std::int64_t needed, const BrickMemory& memory);

/// The cut into bricks of `brick`, with what it takes.
BrickPlan cut_into(const Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick,
                   int threads);

/// Room for one result of a brick; the next begins behind it, aligned for vectors.
inline std::int64_t result_bytes(const Extent3& brick, PixelType type) {
  return round_up<std::int64_t>(volume(brick) * size_of(type), 64);
}

/// Number of bricks; and their boxes, z fastest, so that the next window often overlaps the last.
std::int64_t brick_count(const BrickPlan& plan);
Box3 brick_at(const BrickPlan& plan, std::int64_t i);

/// Voxels of a result that these bricks make.
std::int64_t voxels_of(const BrickPlan& plan, std::span<const std::int64_t> bricks);

/// "32 bricks of 16x512x512 from windows of up to 18 MiB, 1.12 times the image together; 40 MiB".
std::string explain(const BrickPlan& plan, const Extent3& image);

}  // namespace synthoscope::kernels
