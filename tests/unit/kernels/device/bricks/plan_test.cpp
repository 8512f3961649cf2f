// SPDX-License-Identifier: MIT
// Bricks for a device stay within its memory and within that of the host. Needs no device.
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/volume/batches.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/operation/device_operation.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr Extent3 kImage{40, 500, 700};

/// Two results of an image; needs a reach of two around, and so many bytes a voxel on a device, and
/// beside what travels there.
class TwoResults final : public Operation, DeviceOperation {
 public:
  explicit TwoResults(std::int64_t working, std::int64_t travelling = 0,
                      const Extent3& image = kImage)
      : working_{working}, travelling_{travelling}, image_{image} {}
  [[nodiscard]] std::string_view stage() const override { return "make two"; }
  [[nodiscard]] Extent3 extent() const override { return image_; }
  [[nodiscard]] std::vector<PixelType> types() const override {
    return {PixelType::float32, PixelType::uint8};
  }
  [[nodiscard]] Box3 needs(const Box3& box) const override {
    return held_box(Boundary::reflect,
                    {{box.origin.z - 2, box.origin.y - 2, box.origin.x - 2},
                     {box.size.z + 4, box.size.y + 4, box.size.x + 4}},
                    image_);
  }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int) const override {
    return 1000 * volume(box);  // of the host, which does not matter here
  }
  void apply(const Window&, const Box3&, std::span<const VoxelView>, TaskPool&) override {}
  [[nodiscard]] StoredCounts stored_counts() const override { return {}; }
  [[nodiscard]] DeviceOperation* on_device() override { return this; }

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return working_ * volume(box);
  }
  [[nodiscard]] std::int64_t travelling_bytes(const Extent3& box) const override {
    return travelling_ * volume(box);
  }
  void prepare(const cuda::DeviceContext&, PixelType, const Extent3&,
               const cuda::Stream&) override {}
  void enqueue_apply(const cuda::Stream&, const DeviceWindow&, const Box3&,
                     std::span<std::byte* const>) override {}
  void finish(const cuda::Stream&) override {}

 private:
  std::int64_t working_, travelling_;
  Extent3 image_;
};

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

TEST(DeviceBricks, StayWithinBothMemories) {
  for (const std::int64_t working : {0, 1, 40})
    for (const std::int64_t device : {8 * kMiB, 100 * kMiB, 4000 * kMiB})
      for (const std::int64_t host : {6 * kMiB, 50 * kMiB, 4000 * kMiB}) {
        TwoResults operation{working};
        const BrickPlan plan = plan_bricks_on_device(operation, kImage, PixelType::uint16,
                                                     BoxOrder::any, {device, {host}});
        EXPECT_LE(device_bytes(plan).device, device);
        EXPECT_LE(device_bytes(plan).host, host);
        EXPECT_EQ(plan.working_bytes, working * volume(plan.brick));
        EXPECT_EQ(device_bytes(plan).device - device_bytes(plan).host, plan.working_bytes);
        EXPECT_GE(device_bytes(plan).host, kBatches * (plan.window_bytes + plan.result_bytes));
      }
}

TEST(DeviceBricks, HaveRoomForWhatTravelsBesideThem) {
  TwoResults operation{1, 12};
  const BrickPlan plan = plan_bricks_on_device(operation, kImage, PixelType::uint16, BoxOrder::any,
                                               {100 * kMiB, {50 * kMiB}});
  EXPECT_EQ(plan.travelling_bytes, 12 * volume(plan.brick));
  EXPECT_LE(device_bytes(plan).device, 100 * kMiB);
  EXPECT_LE(device_bytes(plan).host, 50 * kMiB);
  EXPECT_GE(device_bytes(plan).host,
            kBatches * (plan.window_bytes + plan.travelling_bytes + plan.result_bytes));
}

TEST(DeviceBricks, AreSoSmallThatSeveralAreUnderWay) {
  TwoResults operation{0};
  const BrickPlan plan = plan_bricks_on_device(operation, kImage, PixelType::uint16, BoxOrder::any,
                                               {4000 * kMiB, {4000 * kMiB}});
  EXPECT_GT(brick_count(plan), 1);
  EXPECT_LE(plan.bytes(), kLargestBrickBytes);
}

TEST(DeviceBricks, AreWholePlanesWhereTheSinkTakesThemInOrder) {
  TwoResults operation{3};
  const BrickPlan plan = plan_bricks_on_device(
      operation, kImage, PixelType::uint16, BoxOrder::planes_in_order, {80 * kMiB, {4000 * kMiB}});
  EXPECT_EQ(plan.brick.y, kImage.y);
  EXPECT_EQ(plan.brick.x, kImage.x);
}

TEST(DeviceBricks, AreRefusedByTheLeastMemoryThatWouldDo) {
  TwoResults operation{3};
  const auto plan = [&](std::int64_t device, std::int64_t host) {
    return plan_bricks_on_device(operation, kImage, PixelType::uint16, BoxOrder::any,
                                 {device, {host, 1000}});
  };
  const std::int64_t device = test::size_behind("--gpu-memory ", [&] { plan(500, 4000 * kMiB); });
  EXPECT_LE(device_bytes(plan(device, 4000 * kMiB)).device, device);
  EXPECT_THROW(plan(test::less_than_named(device), 4000 * kMiB), OutOfDeviceMemory);
  const std::int64_t host = test::size_behind("--memory ", [&] { plan(4000 * kMiB, 500); }) - 1000;
  EXPECT_LE(device_bytes(plan(4000 * kMiB, host)).host, host);
  EXPECT_THROW(plan(4000 * kMiB, test::less_than_named(host)), PlanError);
}

TEST(DeviceBricks, AreRefusedWhereAGridHasNoBlocksForTheirRows) {
  for (const auto& [columns, is_refused] :
       {std::pair{std::int64_t{2097120}, false}, std::pair{std::int64_t{2097121}, true}}) {
    const Extent3 image{1, 3, columns};
    TwoResults operation{0, 0, image};
    const auto plan = [&] {
      plan_bricks_on_device(operation, image, PixelType::uint8, BoxOrder::planes_in_order,
                            {4000 * kMiB, {4000 * kMiB}});
    };
    if (is_refused)
      EXPECT_THROW(plan(), CudaError) << columns;
    else
      EXPECT_NO_THROW(plan()) << columns;
  }
}

}  // namespace
}  // namespace synthoscope::kernels::device
