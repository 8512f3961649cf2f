// SPDX-License-Identifier: MIT
#include "kernels/variance/contrast.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "kernels/variance/local_variance.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

Volume<float> made_by(Operation& operation, ConstVoxelView image, const Extent3& box) {
  const Extent3 all = operation.extent();
  Volume<float> result{all};
  TaskPool pool{2};
  for (Index3 at; at.z < all.z; at.z += box.z)
    for (at.y = 0; at.y < all.y; at.y += box.y)
      for (at.x = 0; at.x < all.x; at.x += box.x) {
        const Box3 part = intersection({at, box}, whole(all));
        Volume<float> made{part.size};
        const VoxelView out[] = {made.view()};
        operation.apply(whole_window(image), part, out, pool);
        MemorySink{VoxelView{result.view()}}.write(part, VoxelView{made.view()});
      }
  return result;
}

std::vector<LocalWindow> scales(std::initializer_list<double> sizes, const Extent3& image) {
  std::vector<LocalWindow> windows;
  for (const double size : sizes) windows.push_back(window_for(WindowShape::triangle, size, image));
  return windows;
}

/// The formula of local_contrast in double, of statistics that local_variance makes.
std::vector<double> expected_of(const ContrastSpec& spec, const Volume<float>& image) {
  LocalVarianceSpec statistics;
  statistics.windows = spec.windows;
  statistics.statistics = {LocalStatistic::mean, LocalStatistic::variance};
  statistics.boundary = spec.boundary;
  const auto operation = local_variance(statistics, image.extent, PixelType::float32);
  std::vector<Volume<float>> made(2 * spec.windows.size(), Volume<float>{image.extent});
  std::vector<VoxelView> out;
  for (Volume<float>& volume : made) out.emplace_back(volume.view());
  TaskPool pool{1};
  operation->apply(whole_window(image.view()), whole(image.extent), out, pool);
  std::vector<double> result(image.voxels.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    double finer = image.voxels[i], sum = 0;
    for (std::size_t k = 0; k < spec.windows.size(); ++k) {
      const double mean = made[2 * k].voxels[i], spread = std::sqrt(made[2 * k + 1].voxels[i]);
      const double wanted = spec.limit * spec.target / (spec.limit * spread + spec.target);
      sum += (1 + spec.strength * (wanted - 1)) * (finer - mean);
      finer = mean;
    }
    result[i] = finer + sum;
  }
  return result;
}

TEST(LocalContrast, IsTheFormulaOverScalesInPlanesAndStacks) {
  for (const Extent3& extent : {Extent3{1, 61, 83}, Extent3{7, 23, 29}, Extent3{1, 1, 50}}) {
    const Volume<float> image = test::pattern<float>(extent);
    for (const double strength : {1.0, 0.4}) {
      ContrastSpec spec;
      spec.windows = scales({2, 4, 8}, extent);
      spec.target = 90;
      spec.strength = strength;
      const auto operation = local_contrast(spec, extent);
      const Volume<float> got = made_by(*operation, image.view(), extent);
      const std::vector<double> expected = expected_of(spec, image);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(got.voxels[i], expected[i], 2e-3) << extent << " at " << i;
    }
  }
}

TEST(LocalContrast, DoesNotDependOnBoxes) {
  const Extent3 extent{3, 90, 700};
  const Volume<float> image = test::pattern<float>(extent);
  ContrastSpec spec;
  spec.windows = scales({2, 4}, extent);
  const auto operation = local_contrast(spec, extent);
  const Volume<float> expected = made_by(*operation, image.view(), extent);
  for (const Extent3& box : {Extent3{1, 40, 333}, Extent3{2, 7, 700}})
    EXPECT_EQ(made_by(*operation, image.view(), box).voxels, expected.voxels) << box;
}

TEST(LocalContrast, LeavesAnEvenImageAndOneOfStrengthNothing) {
  Volume<float> even{{1, 40, 40}};
  for (float& voxel : even.voxels) voxel = 1234.5F;
  ContrastSpec spec;
  spec.windows = scales({2, 4, 8}, even.extent);
  EXPECT_EQ(
      made_by(*local_contrast(spec, even.extent), std::as_const(even).view(), even.extent).voxels,
      even.voxels);
  spec.strength = 0;
  const Volume<float> image = test::pattern<float>(even.extent);
  const Volume<float> got =
      made_by(*local_contrast(spec, image.extent), image.view(), image.extent);
  for (std::size_t i = 0; i < got.voxels.size(); ++i)
    EXPECT_NEAR(got.voxels[i], image.voxels[i], 1e-3);
}

/// How much a checkerboard of one pixel varies around column `x` of a row.
double texture_at(const Volume<float>& image, std::int64_t x) {
  double sum = 0;
  for (std::int64_t y = 20; y < 60; ++y)
    sum += std::abs(image.view()(0, y, x) - image.view()(0, y, x + 1));
  return sum;
}

TEST(LocalContrast, LeavesNoHaloBesideAnEdge) {
  // Weak texture on either side of a step a hundred times as high
  Volume<float> image{{1, 80, 200}};
  for (std::int64_t y = 0; y < 80; ++y)
    for (std::int64_t x = 0; x < 200; ++x)
      image.view()(0, y, x) = static_cast<float>((x < 100 ? 0 : 100) + (x + y) % 2);
  ContrastSpec spec;
  spec.target = 10;
  spec.limit = 5;
  const auto beside_over_far = [&](std::initializer_list<double> sizes) {
    spec.windows = scales(sizes, image.extent);
    const Volume<float> got =
        made_by(*local_contrast(spec, image.extent), std::as_const(image).view(), image.extent);
    return texture_at(got, 89) / texture_at(got, 20);
  };
  EXPECT_LT(beside_over_far({32}), 0.5);
  EXPECT_GT(beside_over_far({2, 4, 8, 16, 32}), 0.95);
}

TEST(LocalContrast, RefusesWhatIsOutOfRange) {
  const Extent3 extent{1, 9, 9};
  ContrastSpec spec;
  EXPECT_THROW(local_contrast(spec, extent), InvalidSpec);
  spec.windows = scales({2}, extent);
  EXPECT_NO_THROW(local_contrast(spec, extent));
  for (const auto& [target, limit, strength] : {std::array{0.0, 4.0, 1.0},
                                                {-1, 4, 1},
                                                {1, 0.5, 1},
                                                {1, 4, 1.5},
                                                {1, 4, -0.1},
                                                {NAN, 4, 1}}) {
    spec.target = target;
    spec.limit = limit;
    spec.strength = strength;
    EXPECT_THROW(local_contrast(spec, extent), InvalidSpec) << target << limit << strength;
  }
}

}  // namespace
}  // namespace synthoscope::kernels
