// SPDX-License-Identifier: MIT
#include "kernels/operation/bricks.hpp"
#include <gtest/gtest.h>
#include <array>
#include <numeric>
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"

namespace synthoscope::kernels {
namespace {

/// Sums over boxes of 2 `reach` + 1 voxels along each axis, and beside it the voxel itself.
class BoxSum final : public Operation {
 public:
  BoxSum(const Extent3& image, Index3 reach, Boundary boundary)
      : image_{image}, reach_{reach}, boundary_{boundary} {}
  [[nodiscard]] std::string_view stage() const override { return "box sums"; }
  [[nodiscard]] Extent3 extent() const override { return image_; }
  [[nodiscard]] std::vector<PixelType> types() const override {
    return {PixelType::float32, PixelType::float32};
  }
  [[nodiscard]] Box3 needs(const Box3& box) const override {
    return held_box(boundary_, positions_of(box), image_);
  }
  [[nodiscard]] std::int64_t working_bytes(const Extent3&, int) const override { return 0; }
  [[nodiscard]] StoredCounts stored_counts() const override { return {}; }

  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override {
    const Box3 positions = positions_of(box);
    Volume<float> voxels{positions.size};
    copy_positions(in, boundary_, positions, 0.0F, voxels.view());
    const auto sums = out[0].as<float>(), same = out[1].as<float>();
    pool.for_each(box.size.z, [&](std::int64_t z) {
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x) {
          float sum = 0;
          for (std::int64_t dz = 0; dz <= 2 * reach_.z; ++dz)
            for (std::int64_t dy = 0; dy <= 2 * reach_.y; ++dy)
              for (std::int64_t dx = 0; dx <= 2 * reach_.x; ++dx)
                sum += voxels.view()(z + dz, y + dy, x + dx);
          sums(z, y, x) = sum;
          same(z, y, x) = voxels.view()(z + reach_.z, y + reach_.y, x + reach_.x);
        }
    });
  }

 private:
  [[nodiscard]] Box3 positions_of(const Box3& box) const {
    return {{box.origin.z - reach_.z, box.origin.y - reach_.y, box.origin.x - reach_.x},
            {box.size.z + 2 * reach_.z, box.size.y + 2 * reach_.y, box.size.x + 2 * reach_.x}};
  }
  Extent3 image_;
  Index3 reach_;
  Boundary boundary_;
};

struct SizeCase {
  Extent3 image;
  Index3 reach;
};
const SizeCase kSizes[] = {{{1, 1, 1}, {2, 1, 3}},   {{1, 40, 50}, {0, 3, 2}},
                           {{1, 1, 300}, {0, 0, 7}}, {{20, 1, 5}, {3, 0, 0}},
                           {{9, 10, 11}, {1, 1, 1}}, {{7, 3, 5}, {9, 4, 6}}};

TEST(Bricks, GiveWhatTheWholeImageGivesAtOnce) {
  for (const auto& [image, reach] : kSizes)
    for (const Boundary boundary :
         {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap}) {
      SCOPED_TRACE(testing::Message() << image << " " << name_of(boundary));
      Volume<std::uint8_t> voxels{image};
      std::iota(voxels.voxels.begin(), voxels.voxels.end(), std::uint8_t{1});
      BoxSum sum{image, reach, boundary};
      test::expect_same_in_bricks<float>(sum, voxels);
    }
}

TEST(Bricks, TakeTheWholeImageWhereItFits) {
  BoxSum sum{{8, 100, 100}, {1, 1, 1}, Boundary::reflect};
  const BrickPlan plan =
      plan_bricks(sum, {8, 100, 100}, PixelType::uint16, BoxOrder::any, {1 << 30}, 2);
  EXPECT_EQ(brick_count(plan), 1);
  EXPECT_EQ(plan.voxels_held, 80000);
  EXPECT_EQ(plan.bytes(), 80000 * (2 + 4 + 4));
  EXPECT_EQ(explain(plan, {8, 100, 100}), "all 8x100x100 at once, in 781 KiB");
}

TEST(Bricks, StayWithinTheMemoryThereIs) {
  BoxSum sum{{64, 300, 200}, {2, 2, 2}, Boundary::mirror};
  for (const std::int64_t bytes : {20000, 100000, 2000000, 10000000})
    for (const BoxOrder order : {BoxOrder::any, BoxOrder::planes_in_order}) {
      if (order == BoxOrder::planes_in_order && bytes < 2000000) continue;
      const BrickPlan plan = plan_bricks(sum, sum.extent(), PixelType::float32, order, {bytes}, 2);
      EXPECT_LE(plan.bytes(), bytes);
      if (order == BoxOrder::planes_in_order) {
        EXPECT_EQ(plan.brick.y, 300);
        EXPECT_EQ(plan.brick.x, 200);
      }
    }
}

TEST(Bricks, CoverResultsOnce) {
  BrickPlan plan;
  plan.result = {5, 7, 9};
  plan.brick = {2, 3, 4};
  std::vector<int> covered(5 * 7 * 9);
  for (std::int64_t i = 0; i < brick_count(plan); ++i) {
    const Box3 box = brick_at(plan, i);
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x)
          ++covered[static_cast<std::size_t>(((box.origin.z + z) * 7 + box.origin.y + y) * 9 +
                                             box.origin.x + x)];
  }
  EXPECT_EQ(covered, std::vector<int>(5 * 7 * 9, 1));
}

TEST(Bricks, AreRefusedInASentenceWhereMemoryHasNoRoom) {
  BoxSum sum{{64, 300, 200}, {2, 2, 2}, Boundary::mirror};
  const auto plan = [&](std::int64_t bytes) {
    return plan_bricks(sum, sum.extent(), PixelType::float32, BoxOrder::planes_in_order,
                       {bytes, 5000}, 2);
  };
  test::expect_failure<PlanError>([&] { static_cast<void>(plan(100000)); },
                                  {"plan box sums", "1x300x200", "--memory"});
  // What it names is enough, and no less is
  const std::int64_t least =
      test::size_behind("--memory ", [&] { static_cast<void>(plan(100000)); }) - 5000;
  EXPECT_LE(plan(least).bytes(), least);
  EXPECT_THROW(static_cast<void>(plan(test::less_than_named(least))), PlanError);
}

}  // namespace
}  // namespace synthoscope::kernels
