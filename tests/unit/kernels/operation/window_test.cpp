// SPDX-License-Identifier: MIT
#include "kernels/operation/window.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include <vector>
#include "core/stream/memory_stream.hpp"

namespace synthoscope::kernels {
namespace {

constexpr Boundary kBoundaries[] = {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap};

TEST(Window, HoldsWhatTheBoundaryMapsAnyStretchTo) {
  for (const Boundary boundary : kBoundaries)
    for (std::int64_t n = 1; n <= 7; ++n)
      for (std::int64_t low = -20; low <= 20; ++low)
        for (std::int64_t size = 1; size <= 12; ++size) {
          const Box3 box = held_box(boundary, {{low, 0, 0}, {size, 1, 1}}, {n, 1, 1});
          ASSERT_GT(box.size.z, 0);
          ASSERT_LE(box.size.z, n);
          if (boundary != Boundary::wrap) {
            ASSERT_GE(box.origin.z, 0);
            ASSERT_LE(box.origin.z + box.size.z, n);
          }
          for (std::int64_t i = low; i < low + size; ++i) {
            const std::int64_t expected = mapped_index(boundary, i, n);
            const std::int64_t at = held_index(boundary, i, n, box.origin.z, box.size.z);
            if (expected == kOutside) {
              ASSERT_EQ(at, kOutside);
              continue;
            }
            ASSERT_GE(at, 0);
            ASSERT_LT(at, box.size.z);
            ASSERT_EQ((box.origin.z + at + 30 * n) % n, expected)
                << name_of(boundary) << " n " << n << " [" << low << ", +" << size << ") at " << i;
          }
        }
}

TEST(Window, HoldsNoMoreThanAStretchInsideTheImage) {
  for (const Boundary boundary : kBoundaries)
    EXPECT_EQ(held_box(boundary, {{2, 3, 4}, {5, 6, 7}}, {10, 20, 30}),
              (Box3{{2, 3, 4}, {5, 6, 7}}));
}

TEST(Window, HoldsAFewPlanesBesideAFace) {
  EXPECT_EQ(held_box(Boundary::reflect, {{-2, 0, 0}, {5, 1, 1}}, {100, 1, 1}).size.z, 3);
  EXPECT_EQ(held_box(Boundary::mirror, {{97, 0, 0}, {5, 1, 1}}, {100, 1, 1}).size.z, 3);
  EXPECT_EQ(held_box(Boundary::wrap, {{-2, 0, 0}, {5, 1, 1}}, {100, 1, 1}),
            (Box3{{-2, 0, 0}, {5, 1, 1}}));
}

template <class T>
void expect_positions_of_a_whole_image() {
  Volume<std::uint16_t> image{{3, 4, 5}};
  std::iota(image.voxels.begin(), image.voxels.end(), std::uint16_t{100});
  const Box3 positions{{-4, -2, -7}, {11, 9, 20}};
  for (const Boundary boundary : kBoundaries) {
    Volume<T> got{positions.size};
    copy_positions<T>(whole_window(std::as_const(image).view()), boundary, positions, T{7},
                      got.view());
    for (std::int64_t z = 0; z < positions.size.z; ++z)
      for (std::int64_t y = 0; y < positions.size.y; ++y)
        for (std::int64_t x = 0; x < positions.size.x; ++x) {
          const std::int64_t iz = mapped_index(boundary, z + positions.origin.z, 3);
          const std::int64_t iy = mapped_index(boundary, y + positions.origin.y, 4);
          const std::int64_t ix = mapped_index(boundary, x + positions.origin.x, 5);
          const bool is_outside = iz == kOutside || iy == kOutside || ix == kOutside;
          ASSERT_EQ(got.view()(z, y, x),
                    is_outside ? T{7} : static_cast<T>(image.view()(iz, iy, ix)));
        }
  }
}

TEST(Window, GivesVoxelsByTheBoundaryAsFloat) {
  expect_positions_of_a_whole_image<float>();
}

TEST(Window, GivesVoxelsByTheBoundaryInTheirOwnType) {
  expect_positions_of_a_whole_image<std::uint16_t>();
}

TEST(Window, GivesTheSameVoxelsWhateverIsHeldOfTheImage) {
  Volume<float> image{{1, 9, 11}};
  std::iota(image.voxels.begin(), image.voxels.end(), 1.0F);
  for (const Boundary boundary : kBoundaries)
    for (std::int64_t y = -6; y < 12; y += 3) {
      const Box3 positions{{0, y, -3}, {1, 4, 8}};
      const Box3 held = held_box(boundary, positions, image.extent);
      Volume<float> voxels{held.size}, expected{positions.size}, got{positions.size};
      copy_positions(whole_window(std::as_const(image).view()), boundary, held, 0.0F,
                     voxels.view());
      copy_positions(whole_window(std::as_const(image).view()), boundary, positions, 0.0F,
                     expected.view());
      copy_positions({image.extent, held, std::as_const(voxels).view()}, boundary, positions, 0.0F,
                     got.view());
      EXPECT_EQ(expected.voxels, got.voxels) << name_of(boundary) << " " << held;
    }
}

}  // namespace
}  // namespace synthoscope::kernels
