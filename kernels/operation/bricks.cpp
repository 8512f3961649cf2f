// SPDX-License-Identifier: MIT
#include "kernels/operation/bricks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/run/memory_budget.hpp"
#include "core/run/stop.hpp"

namespace synthoscope::kernels {
namespace {

/// Files are read row by row: rows shorter than this take as long.
constexpr std::int64_t kShortRow = 2048;

/// Limits on the number of bricks, and on what all windows hold in total relative to the whole:
/// beyond them, reading takes far longer than computing. A budget that small is refused.
constexpr std::int64_t kMaxBricks = std::int64_t{1} << 20;
constexpr std::int64_t kMaxHeld = 16;

Extent3 bricks_along(const BrickPlan& plan) {
  return {parts_of(plan.result.z, plan.brick.z), parts_of(plan.result.y, plan.brick.y),
          parts_of(plan.result.x, plan.brick.x)};
}

/// A plan and its cost.
struct Cut {
  BrickPlan plan;
  std::int64_t cost = 0;  ///< voxels held, rows counted as at least kShortRow
};

Cut weighed(const Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick,
            int threads, std::int64_t image_row) {
  Cut cut;
  BrickPlan& plan = cut.plan;
  plan.result = operation.extent();
  plan.brick = brick;
  for (const PixelType type : operation.types()) plan.result_bytes += result_bytes(brick, type);
  plan.working_bytes = operation.working_bytes(brick, threads);
  for (std::int64_t i = 0; i < brick_count(plan); ++i) {
    stop_point();
    const Extent3 window = operation.needs(brick_at(plan, i)).size;
    plan.voxels_held += volume(window);
    plan.window_bytes = std::max(plan.window_bytes, volume(window) * image_voxel_bytes);
    cut.cost += window.z * window.y * std::max(window.x, std::min(image_row, kShortRow));
  }
  return cut;
}

std::int64_t half(std::int64_t n) {
  return (n + 1) / 2;
}

}  // namespace

std::int64_t brick_count(const BrickPlan& plan) {
  return volume(bricks_along(plan));
}

Box3 brick_at(const BrickPlan& plan, std::int64_t i) {
  const Extent3 n = bricks_along(plan), &b = plan.brick;
  const Index3 at{i % n.z * b.z, i / n.z / n.x * b.y, i / n.z % n.x * b.x};
  return intersection({at, b}, whole(plan.result));
}

BrickPlan cut_into(const Operation& operation, std::int64_t image_voxel_bytes, const Extent3& brick,
                   int threads) {
  return weighed(operation, image_voxel_bytes, brick, threads, 0).plan;
}

BrickPlan best_bricks(const Operation& operation, const Extent3& image,
                      std::int64_t image_voxel_bytes, BoxOrder order, std::int64_t memory_bytes,
                      int threads, std::int64_t largest_brick_bytes) {
  const auto cut = [&](const Extent3& brick) {
    return weighed(operation, image_voxel_bytes, brick, threads, image.x);
  };
  const Cut uncut = cut(operation.extent());
  Cut best = uncut, least = uncut;
  while (best.plan.bytes() > memory_bytes || best.plan.moved_bytes() > largest_brick_bytes) {
    const Extent3 b = best.plan.brick;
    const bool takes_parts_of_planes = order == BoxOrder::any;
    const bool is_many = 2 * brick_count(best.plan) > kMaxBricks;
    std::optional<Cut> next;
    const auto offer = [&](bool is_possible, const Extent3& brick) {
      if (!is_possible || is_many) return;
      const Cut other = cut(brick);
      if (other.plan.voxels_held > kMaxHeld * uncut.plan.voxels_held) return;
      // At equal cost slabs of planes are preferred to rows, and rows to parts of rows
      if (!next || other.cost < next->cost) next = other;
    };
    offer(b.z > 1, {half(b.z), b.y, b.x});
    offer(b.y > 1 && takes_parts_of_planes, {b.z, half(b.y), b.x});
    offer(b.x > 1 && takes_parts_of_planes, {b.z, b.y, half(b.x)});
    const bool fits = best.plan.bytes() <= memory_bytes;
    const double most = (1 + kMaxOverlap) * static_cast<double>(uncut.cost);
    if (!next || (fits && static_cast<double>(next->cost) > most)) break;
    best = *next;
    if (best.plan.bytes() < least.plan.bytes()) least = best;
  }
  return best.plan.bytes() <= memory_bytes ? best.plan : least.plan;
}

BrickPlan plan_bricks(const Operation& operation, const Extent3& image, PixelType image_type,
                      BoxOrder order, const BrickMemory& memory, int threads,
                      std::int64_t largest_brick_bytes) {
  const BrickPlan plan = best_bricks(operation, image, size_of(image_type), order, memory.bytes,
                                     threads, largest_brick_bytes);
  if (plan.bytes() > memory.bytes)
    throw PlanError(fmt::format("plan {}: {}", operation.stage(),
                                too_little_memory(plan.brick, plan.bytes(), memory)));
  return plan;
}

std::string too_little_memory(const Extent3& brick, std::int64_t needed,
                              const BrickMemory& memory) {
  const std::string besides =
      memory.besides == 0 ? "" : " and the other buffers " + print_bytes(memory.besides);
  return fmt::format(
      "bricks of {} with their windows need {}{}, the budget is {}; give --memory {} or more",
      brick, print_bytes(needed), besides, print_bytes(memory.bytes + memory.besides),
      size_of_at_least(needed + memory.besides));
}

std::int64_t voxels_of(const BrickPlan& plan, std::span<const std::int64_t> bricks) {
  std::int64_t voxels = 0;
  for (const std::int64_t i : bricks) voxels += volume(brick_at(plan, i).size);
  return voxels;
}

std::string explain(const BrickPlan& plan, const Extent3& image) {
  const std::int64_t bricks = brick_count(plan);
  if (bricks == 1)
    return fmt::format("all {} at once, in {}", plan.result, print_bytes(plan.bytes()));
  return fmt::format(
      "{} bricks of {} from windows of up to {}, {:.2f} times the image together; {}", bricks,
      plan.brick, print_bytes(plan.window_bytes),
      static_cast<double>(plan.voxels_held) / static_cast<double>(volume(image)),
      print_bytes(plan.bytes()));
}

}  // namespace synthoscope::kernels
