// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "core/volume/batches.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Slots of a brick: its window, what travels with it, and its results.
constexpr std::int64_t kSlots = 3;

/// Kernels keep indices within a plane as int (held_voxels).
constexpr std::int64_t kMaxInPlane = (std::int64_t{1} << 31) - 1;

/// A grid has at most 65535 blocks along y; kernels use them for columns, 32 or more a block.
constexpr std::int64_t kMaxInRow = 65535 * 32;

/// The operation with the working bytes of one of kBatches bricks in flight: its share of the
/// common memory.
class OneOfBatches final : public Operation {
 public:
  explicit OneOfBatches(Operation& inner) : inner_{inner}, there_{*inner.on_device()} {}
  [[nodiscard]] std::string_view stage() const override { return inner_.stage(); }
  [[nodiscard]] Extent3 extent() const override { return inner_.extent(); }
  [[nodiscard]] std::vector<PixelType> types() const override { return inner_.types(); }
  [[nodiscard]] Box3 needs(const Box3& box) const override { return inner_.needs(box); }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int) const override {
    return parts_of<std::int64_t>(there_.working_bytes(box), kBatches) +
           there_.travelling_bytes(box);
  }
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override {
    inner_.apply(in, box, out, pool);
  }
  [[nodiscard]] StoredCounts stored_counts() const override { return inner_.stored_counts(); }

 private:
  Operation& inner_;
  DeviceOperation& there_;
};

BrickPlan with_its_bytes(Operation& operation, BrickPlan plan) {
  plan.working_bytes = operation.on_device()->working_bytes(plan.brick);
  plan.travelling_bytes = operation.on_device()->travelling_bytes(plan.brick);
  return plan;
}

/// Returns the bytes of the smaller memory for each brick in flight; slots are rounded up.
std::int64_t for_one(const DeviceBrickMemory& memory) {
  return std::min(memory.device, memory.host.bytes) / kBatches - kSlots * kSlotAlignment;
}

/// Throws if `one`, the plan of one of the bricks in flight, does not fit.
void require_room(const Operation& operation, const BrickPlan& one,
                  const DeviceBrickMemory& memory) {
  if (one.bytes() <= for_one(memory)) return;
  const std::int64_t needed = kBatches * (one.bytes() + kSlots * kSlotAlignment);
  if (needed > memory.device)
    throw OutOfDeviceMemory(fmt::format(
        "plan {} on a GPU: bricks of {} with their windows need {} of its memory, its budget is "
        "{}; give --gpu-memory {} or more, or --gpus none",
        operation.stage(), one.brick, print_bytes(needed), print_bytes(memory.device),
        size_of_at_least(needed)));
  throw PlanError(fmt::format("plan {} on a GPU: {}, or --gpus none", operation.stage(),
                              too_little_memory(one.brick, needed, memory.host)));
}

}  // namespace

DeviceBrickBytes device_bytes(const BrickPlan& plan) {
  const std::int64_t moved =
      kBatches * (slot_bytes(plan.window_bytes) + slot_bytes(plan.travelling_bytes) +
                  slot_bytes(plan.result_bytes));
  return {moved + plan.working_bytes, moved};
}

BrickPlan best_bricks_on_device(Operation& operation, const Extent3& image,
                                std::int64_t image_voxel_bytes, BoxOrder order,
                                const DeviceBrickMemory& memory, std::int64_t largest_brick_bytes) {
  const OneOfBatches one{operation};
  return with_its_bytes(
      operation, best_bricks(one, image, image_voxel_bytes, order,
                             std::max<std::int64_t>(for_one(memory), 0), 1, largest_brick_bytes));
}

BrickPlan cut_on_device(Operation& operation, std::int64_t image_voxel_bytes,
                        const Extent3& brick) {
  return with_its_bytes(operation, cut_into(OneOfBatches{operation}, image_voxel_bytes, brick, 1));
}

std::string why_not_counted(const Operation& operation, const BrickPlan& plan) {
  for (std::int64_t i = 0; i < brick_count(plan); ++i) {
    const Extent3 held = operation.needs(brick_at(plan, i)).size;
    if (held.x > kMaxInRow || plan.brick.x > kMaxInRow)
      return fmt::format(
          "a row would have {} voxels, but at most {} are possible there; give --gpus none",
          std::max(held.x, plan.brick.x), kMaxInRow);
    if (held.y * held.x > kMaxInPlane)
      return fmt::format(
          "a plane would have {} voxels, but at most {} are possible there; write an uncompressed "
          "file, or give --gpus none",
          held.y * held.x, kMaxInPlane);
  }
  return "";
}

BrickPlan plan_bricks_on_device(Operation& operation, const Extent3& image, PixelType image_type,
                                BoxOrder order, const DeviceBrickMemory& memory,
                                std::int64_t largest_brick_bytes) {
  const BrickPlan plan = best_bricks_on_device(operation, image, size_of(image_type), order, memory,
                                               largest_brick_bytes);
  const OneOfBatches one{operation};
  require_room(operation, cut_into(one, size_of(image_type), plan.brick, 1), memory);
  if (const std::string why_not = why_not_counted(operation, plan); !why_not.empty())
    throw CudaError(fmt::format("plan {} on a GPU: {}", operation.stage(), why_not));
  return plan;
}

}  // namespace synthoscope::kernels::device
