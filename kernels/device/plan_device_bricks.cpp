// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include "core/batches.hpp"
#include "core/round_up.hpp"
#include "kernels/device/device_bricks.hpp"
#include "kernels/device_operation.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Kernels keep places in a plane as int (held_voxels).
constexpr std::int64_t kMostInPlane = (std::int64_t{1} << 31) - 1;

/// A grid has 65535 blocks along y, which kernels give to columns, 32 and more each.
constexpr std::int64_t kMostInRow = 65535 * 32;

/// The operation as one of kBatches bricks under way sees it: its part of what all share.
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
  [[nodiscard]] StoredCounts stored() const override { return inner_.stored(); }

 private:
  Operation& inner_;
  DeviceOperation& there_;
};

}  // namespace

DeviceBrickBytes device_bytes(const BrickPlan& plan) {
  const std::int64_t moved =
      kBatches * (slot_bytes(plan.window_bytes) + slot_bytes(plan.travelling_bytes) +
                  slot_bytes(plan.result_bytes));
  return {moved + plan.working_bytes, moved};
}

BrickPlan plan_bricks_on_device(Operation& operation, const Extent3& image, PixelType image_type,
                                BoxOrder order, std::int64_t device_bytes, std::int64_t host_bytes,
                                std::int64_t largest_brick_bytes) {
  const OneOfBatches one{operation};
  // Slots are rounded up
  const std::int64_t memory = std::min(device_bytes, host_bytes) / kBatches - 3 * kSlotAlignment;
  BrickPlan plan = best_bricks(one, image, size_of(image_type), order,
                               std::max<std::int64_t>(memory, 0), 1, largest_brick_bytes);
  if (plan.bytes() > memory)
    throw PlanError(fmt::format(
        "plan {} on a GPU: not even the smallest bricks fit into {} of its memory and {} of the "
        "host's; allow more by --gpu-memory or --memory, or give --gpus none",
        operation.stage(), print_bytes(device_bytes), print_bytes(host_bytes)));
  for (std::int64_t i = 0; i < brick_count(plan); ++i) {
    const Extent3 held = operation.needs(brick_at(plan, i)).size;
    if (held.x > kMostInRow || plan.brick.x > kMostInRow)
      throw PlanError(fmt::format(
          "plan {} on a GPU: rows of {} voxels would be held there, and it takes {}; give --gpus "
          "none",
          operation.stage(), std::max(held.x, plan.brick.x), kMostInRow));
    if (held.y * held.x > kMostInPlane)
      throw PlanError(fmt::format(
          "plan {} on a GPU: {} voxels of a plane would be held there, and it counts {}; write an "
          "uncompressed file, or give --gpus none",
          operation.stage(), held.y * held.x, kMostInPlane));
  }
  plan.working_bytes = operation.on_device()->working_bytes(plan.brick);
  plan.travelling_bytes = operation.on_device()->travelling_bytes(plan.brick);
  return plan;
}

}  // namespace synthoscope::kernels::device
