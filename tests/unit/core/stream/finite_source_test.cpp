// SPDX-License-Identifier: MIT
#include "core/stream/finite_source.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope {
namespace {

/// 2x3x4 ones with a NaN and two infinities, the first at (1, 0, 2).
template <class T>
Volume<T> spoilt() {
  Volume<T> volume{{2, 3, 4}};
  for (T& v : volume.voxels) v = 1;
  volume.view()(1, 0, 2) = static_cast<T>(NAN);
  volume.view()(1, 2, 0) = static_cast<T>(INFINITY);
  volume.view()(1, 2, 3) = static_cast<T>(-INFINITY);
  return volume;
}

template <class T>
class FiniteSourceOf : public testing::Test {};
using Floating = testing::Types<float, double>;
TYPED_TEST_SUITE(FiniteSourceOf, Floating);

TYPED_TEST(FiniteSourceOf, RefusesWithTheNumberOfAllAndThePlaceOfOne) {
  const auto volume = spoilt<TypeParam>();
  MemorySource memory{volume.view()};
  FiniteSource source{memory, NonFinite::refuse, "cells.tif"};
  Volume<TypeParam> out{{1, 3, 4}};
  source.read(plane(volume.extent, 0), out.view());
  EXPECT_FALSE(source.met_any());
  try {
    source.read(plane(volume.extent, 1), out.view());
    FAIL() << "it was let pass";
  } catch (const InvalidInput& failure) {
    EXPECT_EQ(
        std::string{failure.what()},
        "read cells.tif: 3 of 24 voxels are NaN or infinite, one of them at (1, 0, 2); repair "
        "the image, or choose --nan zero or --nan propagate");
  }
}

TYPED_TEST(FiniteSourceOf, PutsZeroInTheirPlaceAndLeavesTheRest) {
  const auto volume = spoilt<TypeParam>();
  MemorySource memory{volume.view()};
  FiniteSource source{memory, NonFinite::zero, "cells.tif"};
  Volume<TypeParam> out{volume.extent};
  source.read(whole(volume.extent), out.view());
  EXPECT_TRUE(source.met_any());
  double sum = 0;
  for (const TypeParam v : out.voxels) sum += static_cast<double>(v);
  EXPECT_EQ(sum, 21);
  EXPECT_EQ(out.view()(1, 0, 2), 0);
}

TYPED_TEST(FiniteSourceOf, LeavesThemWhenTheyArePropagated) {
  const auto volume = spoilt<TypeParam>();
  MemorySource memory{volume.view()};
  FiniteSource source{memory, NonFinite::propagate, "cells.tif"};
  Volume<TypeParam> out{volume.extent};
  source.read(whole(volume.extent), out.view());
  EXPECT_TRUE(std::isnan(out.view()(1, 0, 2)));
  EXPECT_TRUE(std::isinf(out.view()(1, 2, 3)));
}

TEST(CountNonFinite, NeverReadsWhatCannotHoldAny) {
  struct Unreadable final : Source {
    [[nodiscard]] Extent3 extent() const override { return {1, 1, 1}; }
    [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }
    void read(const Box3&, VoxelView) override { throw IoError("it was read"); }
  } source;
  EXPECT_EQ(count_non_finite(source), 0);
}

}  // namespace
}  // namespace synthoscope
