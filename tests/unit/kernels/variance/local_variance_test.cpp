// SPDX-License-Identifier: MIT
#include "kernels/variance/local_variance.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <random>
#include "core/stream/memory_stream.hpp"
#include "kernels/body/direct_variance.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr Boundary kBoundaries[] = {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap};

/// All results of an image that is in memory, made box by box.
std::vector<Volume<float>> made_of(ConstVoxelView image, const LocalVarianceSpec& spec,
                                   const Extent3& box, int threads = 2) {
  const auto operation = local_variance(spec, image.extent(), image.type());
  const Extent3 all = operation->extent();
  std::vector<Volume<float>> results;
  for (std::size_t i = 0; i < operation->types().size(); ++i) results.emplace_back(all);
  TaskPool pool{threads};
  MemorySource source{image};
  for (Index3 at; at.z < all.z; at.z += box.z)
    for (at.y = 0; at.y < all.y; at.y += box.y)
      for (at.x = 0; at.x < all.x; at.x += box.x) {
        const Box3 part = intersection({at, box}, whole(all));
        // The window holds no more than was asked for
        const Box3 held = operation->needs(part);
        const bool is_inside = contains(all, held);
        std::vector<std::byte> voxels(
            static_cast<std::size_t>(volume(held.size) * size_of(image.type())));
        VoxelView window{voxels.data(), image.type(), held.size};
        if (is_inside) source.read(held, window);
        std::vector<Volume<float>> parts;
        std::vector<VoxelView> views;
        for (std::size_t i = 0; i < results.size(); ++i) parts.emplace_back(part.size);
        for (Volume<float>& made : parts) views.emplace_back(made.view());
        operation->apply(is_inside ? Window{all, held, window} : whole_window(image), part, views,
                         pool);
        for (std::size_t i = 0; i < results.size(); ++i)
          MemorySink{VoxelView{results[i].view()}}.write(part, VoxelView{parts[i].view()});
      }
  return results;
}

/// Mean and variance in double, from the definition.
std::vector<Moments<double>> expected_of(const Window& image, const LocalWindow& window,
                                         Boundary boundary) {
  const Extent3 reach = half_reach(window), &n = image.image;
  const Box3 positions{{-reach.z, -reach.y, -reach.x},
                       {n.z + 2 * reach.z, n.y + 2 * reach.y, n.x + 2 * reach.x}};
  Volume<float> voxels{positions.size};
  copy_positions(image, boundary, positions, 0.0F, voxels.view());
  const auto weights = [&](double size) {
    const std::vector<double> half = half_weights(window.shape, size);
    std::vector<double> all{half.rbegin(), half.rend()};
    all.insert(all.end(), half.begin() + 1, half.end());
    return all;
  };
  const std::vector<double> z = weights(window.z), y = weights(window.y), x = weights(window.x);
  Neighbourhood<double> around{nullptr,
                               positions.size.y * positions.size.x,
                               positions.size.x,
                               static_cast<int>(reach.z),
                               static_cast<int>(reach.y),
                               static_cast<int>(reach.x),
                               z.data(),
                               y.data(),
                               x.data()};
  std::vector<Moments<double>> moments;
  for (std::int64_t pz = 0; pz < n.z; ++pz)
    for (std::int64_t py = 0; py < n.y; ++py)
      for (std::int64_t px = 0; px < n.x; ++px) {
        around.centre = &voxels.view()(pz + reach.z, py + reach.y, px + reach.x);
        moments.push_back(two_pass(around));
      }
  return moments;
}

/// The largest difference of a variance, over the variance.
double error_of(const Volume<float>& got, const std::vector<Moments<double>>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double variance = expected[i].variance, value = got.voxels[i];
    if (value < 0 || std::isnan(value)) return 1e300;
    const double apart = std::abs(value - variance);
    largest = std::max(largest, apart == 0 ? 0 : apart / variance);
  }
  return largest;
}

/// The largest difference of a mean, over the root mean square of its window.
double error_of_mean(const Volume<float>& got, const std::vector<Moments<double>>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [mean, variance] = expected[i];
    const double apart = std::abs(got.voxels[i] - mean);
    largest = std::max(largest, apart == 0 ? 0 : apart / std::sqrt(mean * mean + variance));
  }
  return largest;
}

constexpr LocalStatistic kMeanAndVariance[] = {LocalStatistic::mean, LocalStatistic::variance};

LocalVarianceSpec spec_of(std::vector<LocalWindow> windows, Boundary boundary) {
  LocalVarianceSpec spec;
  spec.windows = std::move(windows);
  spec.statistics.assign(std::begin(kMeanAndVariance), std::end(kMeanAndVariance));
  spec.boundary = boundary;
  return spec;
}

struct WindowCase {
  const char* name;
  Extent3 image;
  WindowShape shape;
  double size;
};

constexpr WindowCase kWindowCases[] = {
    {"voxel", {1, 1, 1}, WindowShape::triangle, 4},
    {"pair", {1, 1, 2}, WindowShape::box, 3},
    {"row", {1, 1, 37}, WindowShape::gaussian, 2},
    {"column", {1, 31, 1}, WindowShape::triangle, 8},
    {"smaller_than_the_window", {1, 5, 3}, WindowShape::triangle, 8},
    {"primes", {1, 23, 61}, WindowShape::box, 7},
    {"box_of_five", {1, 17, 40}, WindowShape::box, 5},
    {"box_of_thirteen", {1, 29, 31}, WindowShape::box, 13},
    {"triangle_of_three", {1, 19, 33}, WindowShape::triangle, 3},
    {"triangle_of_six", {1, 19, 33}, WindowShape::triangle, 6},
    {"gaussian", {1, 27, 45}, WindowShape::gaussian, 1.5},
    {"gaussian_of_a_voxel", {1, 9, 9}, WindowShape::gaussian, 0},
    {"stack", {7, 11, 13}, WindowShape::triangle, 4},
    {"stack_box", {5, 6, 19}, WindowShape::box, 9},
    {"stack_gaussian", {6, 7, 17}, WindowShape::gaussian, 0.8},
    {"two_planes", {2, 3, 5}, WindowShape::triangle, 2},
};

class LocalVariance : public testing::TestWithParam<WindowCase> {};
INSTANTIATE_TEST_SUITE_P(Windows, LocalVariance, testing::ValuesIn(kWindowCases), test::kCaseName);

TEST_P(LocalVariance, EqualsTheDefinitionUnderEveryBoundary) {
  const auto check = [&](auto zero) {
    using T = decltype(zero);
    const Volume<T> image = test::pattern<T>(GetParam().image);
    const ConstVoxelView view = image.view();
    const LocalWindow window = window_for(GetParam().shape, GetParam().size, image.extent);
    for (const Boundary boundary : kBoundaries) {
      const auto expected = expected_of(whole_window(view), window, boundary);
      const auto got = made_of(view, spec_of({window}, boundary), {1000, 1000, 1000});
      EXPECT_LE(error_of_mean(got[0], expected), 5e-7) << name_of(boundary);
      EXPECT_LE(error_of(got[1], expected), 2e-6) << name_of(boundary);
    }
  };
  check(std::uint8_t{});
  check(std::int16_t{});
  check(float{});
}

TEST_P(LocalVariance, DoesNotDependOnBoxesOrThreads) {
  const Volume<std::uint16_t> image = test::pattern<std::uint16_t>(GetParam().image);
  const ConstVoxelView view = image.view();
  const LocalWindow window = window_for(GetParam().shape, GetParam().size, image.extent);
  for (const Boundary boundary : kBoundaries) {
    const LocalVarianceSpec spec = spec_of({window}, boundary);
    const auto expected = made_of(view, spec, image.extent);
    for (const Extent3& box : {Extent3{1, 4, 5}, Extent3{2, 100, 7}, Extent3{3, 1, 100}}) {
      const auto got = made_of(view, spec, box, 1);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(got[i].voxels, expected[i].voxels) << name_of(boundary) << " " << box;
    }
  }
}

TEST_P(LocalVariance, GivesTheSameBitsOnEveryVectorUnit) {
  const Volume<float> image = test::pattern<float>(GetParam().image);
  LocalVarianceSpec spec =
      spec_of({window_for(GetParam().shape, GetParam().size, image.extent)}, Boundary::mirror);
  spec.statistics.push_back(LocalStatistic::standard_deviation);
  spec.level = VectorLevel::baseline;
  const auto expected = made_of(image.view(), spec, image.extent);
  for (int level = 1; level <= static_cast<int>(vector_level()); ++level) {
    spec.level = static_cast<VectorLevel>(level);
    const auto got = made_of(image.view(), spec, image.extent);
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_EQ(got[i].voxels, expected[i].voxels) << name_of(spec.level);
  }
}

TEST(LocalVariance, MakesAllScalesInOneSweepAcrossTiles) {
  // Wider and higher than a tile
  const Volume<float> image = test::pattern<float>({1, 700, 900});
  std::vector<LocalWindow> windows;
  for (const double scale : {2, 4, 8, 16, 32})
    windows.push_back(window_for(WindowShape::triangle, scale, image.extent));
  const auto got = made_of(image.view(), spec_of(windows, Boundary::reflect), image.extent);
  const auto cut = made_of(image.view(), spec_of(windows, Boundary::reflect), {1, 300, 411});
  ASSERT_EQ(got.size(), 10U);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].voxels, cut[i].voxels);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto alone =
        made_of(image.view(), spec_of({windows[i]}, Boundary::reflect), image.extent);
    for (std::size_t at = 0; at < got[0].voxels.size(); ++at)
      ASSERT_NEAR(got[2 * i + 1].voxels[at], alone[1].voxels[at], 1e-6 * alone[1].voxels[at]);
  }
}

TEST(LocalVariance, IsThatOfPlanesWhereTheWindowIsFlat) {
  const Volume<std::uint8_t> stack = test::pattern<std::uint8_t>({3, 20, 21});
  const LocalWindow window{WindowShape::box, 1, 5, 5};
  const auto got = made_of(stack.view(), spec_of({window}, Boundary::mirror), stack.extent);
  for (std::int64_t z = 0; z < 3; ++z) {
    const Volume<std::uint8_t> plane = test::cut(stack, {{z, 0, 0}, {1, 20, 21}});
    const auto alone = made_of(plane.view(), spec_of({window}, Boundary::mirror), plane.extent);
    EXPECT_EQ(test::cut(got[1], {{z, 0, 0}, {1, 20, 21}}).voxels, alone[1].voxels);
  }
}

/// Noise of standard deviation 1 around a mean.
Volume<float> noise_around(double mean, const Extent3& extent, unsigned seed) {
  std::mt19937 generator{seed};
  std::normal_distribution<double> noise{mean, 1};
  Volume<float> image{extent};
  for (float& voxel : image.voxels) voxel = static_cast<float>(noise(generator));
  return image;
}

TEST(LocalVariance, StaysExactWhereTheMeanIsTenThousandTimesTheSpread) {
  // A step of the mean by 1e4 as well, so that no one reference would serve a tile
  Volume<float> image = noise_around(1e4, {1, 90, 120}, 3);
  const Volume<float> low = noise_around(0, {1, 90, 120}, 4);
  for (std::int64_t y = 0; y < 90; ++y)
    for (std::int64_t x = 60; x < 120; ++x) image.view()(0, y, x) = low.view()(0, y, x);
  const ConstVoxelView view = std::as_const(image).view();
  for (const LocalWindow& window :
       {LocalWindow{WindowShape::triangle, 1, 8, 8}, LocalWindow{WindowShape::triangle, 1, 32, 32},
        LocalWindow{WindowShape::box, 1, 13, 13}, LocalWindow{WindowShape::gaussian, 0, 3, 3}}) {
    const auto expected = expected_of(whole_window(view), window, Boundary::reflect);
    LocalVarianceSpec spec = spec_of({window}, Boundary::reflect);
    EXPECT_LE(error_of(made_of(view, spec, image.extent)[1], expected), 1e-5)
        << print_window(window);
  }
}

TEST(LocalVariance, ShowsThatKoenigsFormulaFailsThereAndItsPeersDoNot) {
  const Volume<float> image = noise_around(1e4, {1, 24, 30}, 5);
  const LocalWindow window{WindowShape::triangle, 1, 8, 8};
  const auto expected = expected_of(whole_window(image.view()), window, Boundary::reflect);
  const auto error = [&](VarianceStrategy strategy) {
    LocalVarianceSpec spec = spec_of({window}, Boundary::reflect);
    spec.strategy = strategy;
    return error_of(made_of(image.view(), spec, image.extent)[1], expected);
  };
  EXPECT_GT(error(VarianceStrategy::koenig), 1);  // more than all of it
  EXPECT_LE(error(VarianceStrategy::threewise), 1e-5);
  EXPECT_LE(error(VarianceStrategy::two_pass), 1e-3);
  EXPECT_LE(error(VarianceStrategy::pairwise), 1e-2);
  EXPECT_LE(error(VarianceStrategy::online), 1e-1);
}

TEST(LocalVariance, IsNeverNegativeAndZeroWhereNothingVaries) {
  Volume<float> image{{1, 40, 40}};
  for (float& voxel : image.voxels) voxel = 1e7F + 1;
  image.view()(0, 20, 20) = 3;
  for (const WindowShape shape : {WindowShape::triangle, WindowShape::box, WindowShape::gaussian}) {
    const LocalWindow window = window_for(shape, 3, image.extent);
    const auto got =
        made_of(std::as_const(image).view(), spec_of({window}, Boundary::reflect), image.extent);
    EXPECT_EQ(got[1].view()(0, 0, 0), 0);
    EXPECT_EQ(got[0].view()(0, 0, 0), 1e7F + 1);
    for (const float value : got[1].voxels) EXPECT_GE(value, 0);
  }
}

TEST(LocalVariance, AgreesWithEveryStrategyKeptForComparison) {
  const Volume<std::uint8_t> image = test::pattern<std::uint8_t>({4, 30, 300});
  for (const LocalWindow& window :
       {LocalWindow{WindowShape::box, 3, 5, 7}, LocalWindow{WindowShape::triangle, 2, 3, 4}})
    for (const Boundary boundary : kBoundaries) {
      const auto expected = expected_of(whole_window(image.view()), window, boundary);
      for (int i = 1; i <= static_cast<int>(VarianceStrategy::integral); ++i) {
        LocalVarianceSpec spec = spec_of({window}, boundary);
        spec.strategy = static_cast<VarianceStrategy>(i);
        if (spec.strategy == VarianceStrategy::integral && window.shape != WindowShape::box)
          continue;
        const auto got = made_of(image.view(), spec, {2, 13, 101});
        EXPECT_LE(error_of(got[1], expected), 2e-5) << name_of(spec.strategy);
        EXPECT_LE(error_of_mean(got[0], expected), 2e-6) << name_of(spec.strategy);
      }
    }
}

TEST(LocalVariance, IsNoNumberWhereAVoxelOfTheWindowIsNone) {
  for (const float none : {std::numeric_limits<float>::quiet_NaN(), HUGE_VALF})
    for (const LocalWindow& window :
         {LocalWindow{WindowShape::box, 1, 3, 5}, LocalWindow{WindowShape::triangle, 1, 2, 4},
          LocalWindow{WindowShape::triangle, 2, 3, 1}, LocalWindow{WindowShape::gaussian, 0, 1, 1},
          LocalWindow{WindowShape::gaussian, 1, 3, 0.5}})
      for (int level = 0; level <= static_cast<int>(vector_level()); ++level) {
        Volume<float> image = test::pattern<float>({3, 40, 60});
        image.voxels[60 * 40 + 60 * 21 + 32] = none;
        LocalVarianceSpec spec = spec_of({window}, Boundary::reflect);
        spec.level = static_cast<VectorLevel>(level);
        const auto found = made_of(image.view(), spec, {3, 40, 60});
        spec.strategy = VarianceStrategy::two_pass;
        const auto expected = made_of(image.view(), spec, {3, 40, 60});
        for (std::size_t i = 0; i < image.voxels.size(); ++i)
          for (const std::size_t statistic : {0U, 1U})
            ASSERT_EQ(std::isfinite(found[statistic].voxels[i]),
                      std::isfinite(expected[statistic].voxels[i]))
                << print_window(window) << ", voxel " << i << ", level " << level;
      }
}

TEST(LocalVariance, IsExactByIntegralSums) {
  Volume<std::uint16_t> image{{1, 33, 70}};
  for (std::size_t i = 0; i < image.voxels.size(); ++i)
    image.voxels[i] = static_cast<std::uint16_t>(65534 + i % 2);
  LocalVarianceSpec spec = spec_of({{WindowShape::box, 1, 3, 3}}, Boundary::wrap);
  spec.strategy = VarianceStrategy::integral;
  const auto expected =
      expected_of(whole_window(std::as_const(image).view()), spec.windows[0], Boundary::wrap);
  EXPECT_LE(error_of(made_of(std::as_const(image).view(), spec, image.extent)[1], expected), 1e-7);
}

TEST(LocalVariance, TakesTheRootAndRoundsIntegers) {
  const Volume<std::uint8_t> image = test::pattern<std::uint8_t>({1, 12, 14});
  LocalVarianceSpec spec = spec_of({{WindowShape::box, 1, 3, 3}}, Boundary::reflect);
  spec.statistics = {LocalStatistic::variance, LocalStatistic::standard_deviation};
  const auto got = made_of(image.view(), spec, image.extent);
  for (std::size_t i = 0; i < got[0].voxels.size(); ++i)
    EXPECT_EQ(got[1].voxels[i], std::sqrt(got[0].voxels[i]));

  spec.type = PixelType::uint8;
  const auto operation = local_variance(spec, image.extent, PixelType::uint8);
  Volume<std::uint8_t> variance{image.extent}, root{image.extent};
  const VoxelView out[] = {variance.view(), root.view()};
  TaskPool pool{2};
  operation->apply(whole_window(image.view()), whole(image.extent), out, pool);
  std::int64_t clipped = 0;
  for (std::size_t i = 0; i < root.voxels.size(); ++i) {
    EXPECT_EQ(root.voxels[i], std::lrint(got[1].voxels[i]));
    EXPECT_EQ(variance.voxels[i], std::min(255L, std::lrint(got[0].voxels[i])));
    clipped += got[0].voxels[i] >= 255.5F;
  }
  EXPECT_GT(clipped, 0);
  EXPECT_EQ(operation->stored_counts().clipped, clipped);
}

TEST(LocalVariance, RefusesAStatisticThatIsNamedTwice) {
  LocalVarianceSpec spec;
  spec.windows = {{WindowShape::box, 1, 3, 3}};
  spec.statistics = {LocalStatistic::mean, LocalStatistic::variance, LocalStatistic::mean};
  for (const auto strategy : {VarianceStrategy::threewise, VarianceStrategy::online}) {
    spec.strategy = strategy;
    EXPECT_THROW(local_variance(spec, {1, 9, 9}, PixelType::uint8), InvalidSpec);
  }
}

TEST(LocalVariance, RefusesWhatItCannotDo) {
  LocalVarianceSpec spec = spec_of({{WindowShape::triangle, 1, 3, 3}}, Boundary::reflect);
  spec.strategy = VarianceStrategy::integral;
  EXPECT_THROW(local_variance(spec, {1, 9, 9}, PixelType::uint8), InvalidSpec);
  spec.windows = {{WindowShape::box, 1, 3, 3}};
  EXPECT_THROW(local_variance(spec, {1, 9, 9}, PixelType::float32), InvalidSpec);
  EXPECT_NO_THROW(local_variance(spec, {1, 9, 9}, PixelType::int16));
  spec.windows = {};
  EXPECT_THROW(local_variance(spec, {1, 9, 9}, PixelType::uint8), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::kernels
