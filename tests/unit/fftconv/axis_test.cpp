// SPDX-License-Identifier: MIT
#include "fftconv/axis.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "tests/support/case_name.hpp"

namespace synthoscope::fftconv {
namespace {

struct GeometryCase {
  const char* name;
  std::int64_t image, kernel, center;
  Boundary boundary;
  Shape shape;
  bool correlate;
  std::int64_t load_begin, loaded, result_begin, wanted, kernel_begin, kernel_count, shift,
      min_length;
};

constexpr auto kZero = Boundary::zero;
constexpr auto kReflect = Boundary::reflect;

// image kernel centre boundary shape correlate | load | result | kernel | shift length
constexpr GeometryCase kGeometryCases[] = {
    // With zeros outside, what wraps into the first centre voxels is all that padding must hold
    {"same_odd", 10, 5, 2, kZero, Shape::same, false, 0, 10, 0, 10, 0, 5, -2, 12},
    {"same_even_left_centre", 10, 4, 1, kZero, Shape::same, false, 0, 10, 0, 10, 0, 4, -1, 12},
    {"same_even_right_centre", 10, 4, 2, kZero, Shape::same, false, 0, 10, 0, 10, 0, 4, -2, 12},
    {"same_correlated", 10, 4, 1, kZero, Shape::same, true, 0, 10, 0, 10, 0, 4, -2, 12},
    {"same_one_sided", 10, 5, 0, kZero, Shape::same, false, 0, 10, 0, 10, 0, 5, 0, 14},
    // Kernel voxels beyond the image's own size never join two of its voxels
    {"same_long_kernel", 4, 21, 10, kZero, Shape::same, false, 0, 4, 0, 4, 7, 7, -3, 7},
    {"full", 10, 5, 2, kZero, Shape::full, false, 0, 10, -2, 14, 0, 5, 0, 14},
    {"valid", 10, 5, 2, kZero, Shape::valid, false, 0, 10, 2, 6, 0, 5, -4, 10},
    {"valid_of_equal_sizes", 5, 5, 0, kZero, Shape::valid, false, 0, 5, 4, 1, 0, 5, -4, 5},
    // Other boundaries load what the kernel reaches, and nothing more is padded
    {"reflect_odd", 10, 5, 2, kReflect, Shape::same, false, -2, 14, 0, 10, 0, 5, -4, 14},
    {"reflect_even", 10, 4, 1, kReflect, Shape::same, false, -2, 13, 0, 10, 0, 4, -3, 13},
    {"reflect_correlated", 10, 4, 1, kReflect, Shape::same, true, -1, 13, 0, 10, 0, 4, -3, 13},
    {"one_voxel_each", 1, 1, 0, kZero, Shape::same, false, 0, 1, 0, 1, 0, 1, 0, 1},
};

class Geometry : public testing::TestWithParam<GeometryCase> {};

TEST_P(Geometry, IsWhatPaperAndPencilSay) {
  const auto& c = GetParam();
  const auto a = axis_geometry(c.image, c.kernel, c.center, c.boundary, c.shape, c.correlate);
  EXPECT_EQ(a.load_begin, c.load_begin);
  EXPECT_EQ(a.loaded, c.loaded);
  EXPECT_EQ(a.result_begin, c.result_begin);
  EXPECT_EQ(a.wanted, c.wanted);
  EXPECT_EQ(a.kernel_begin, c.kernel_begin);
  EXPECT_EQ(a.kernel_count, c.kernel_count);
  EXPECT_EQ(a.shift, c.shift);
  EXPECT_EQ(a.min_length, c.min_length);
}

INSTANTIATE_TEST_SUITE_P(Table, Geometry, testing::ValuesIn(kGeometryCases), test::kCaseName);

/// Calls `body` for every image and kernel of up to 7 voxels, centre, boundary and shape.
template <class Body>
void for_every_axis(Body&& body) {
  for (std::int64_t image = 1; image <= 7; ++image)
    for (std::int64_t kernel = 1; kernel <= 7; ++kernel)
      for (std::int64_t center = 0; center < kernel; ++center)
        for (const auto boundary : {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap})
          for (const auto shape : {Shape::same, Shape::full, Shape::valid})
            for (const bool correlate : {false, true}) {
              if (shape == Shape::full && boundary != Boundary::zero) continue;
              if (shape == Shape::valid && kernel > image) continue;
              SCOPED_TRACE(testing::Message()
                           << image << " with " << kernel << " centre " << center << " "
                           << name_of(boundary) << " " << name_of(shape) << " " << correlate);
              const auto whole = axis_geometry(image, kernel, center, boundary, shape, correlate);
              body(whole, center);
              for (std::int64_t first = 0; whole.wanted > 1 && first < whole.wanted; ++first)
                body(axis_geometry(image, kernel, center, boundary, shape, correlate, {first, 1}),
                     center);
            }
}

/// True if a cyclic convolution of `length` gives every wanted result what it needs and no more.
bool long_enough(const AxisGeometry& a, std::int64_t length) {
  if (length < a.loaded || length < a.wanted || length < a.kernel_count) return false;
  for (std::int64_t p = 0; p < a.loaded; ++p)
    for (std::int64_t j = 0; j < a.kernel_count; ++j) {
      const std::int64_t meets = p + j + a.shift, lands = ((meets % length) + length) % length;
      if (lands < a.wanted && lands != meets) return false;
    }
  return true;
}

TEST(AxisGeometry, HasTheShortestTransformInWhichNothingWrappedMeetsAResult) {
  for_every_axis([](const AxisGeometry& a, std::int64_t) {
    for (std::int64_t length = a.min_length; length < a.min_length + 4; ++length)
      ASSERT_TRUE(long_enough(a, length)) << "length " << length;
    ASSERT_FALSE(long_enough(a, a.min_length - 1)) << "min_length " << a.min_length;
  });
}

TEST(AxisGeometry, GivesEveryResultTheProductsOfTheDefinitionWhereItIsClosed) {
  int closed = 0;
  for_every_axis([&](const AxisGeometry& open, std::int64_t center) {
    EXPECT_FALSE(can_close(open, open.image + 1));
    if (!can_close(open, open.image)) return;
    ++closed;
    const AxisGeometry a = fitted(open, open.image);
    EXPECT_EQ(a.min_length, a.image);
    const auto images = sources_of(image_runs(a)), kernels = sources_of(kernel_runs(a, a.image));
    std::vector<std::int64_t> places;
    for (const auto& run : kernel_runs(a, a.image))
      for (std::int64_t i = 0; i < run.count; ++i) places.push_back(run.position + i);
    for (std::int64_t v = 0; v < a.wanted; ++v)
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::int64_t offset = a.flip ? kernels[i] - center : center - kernels[i];
        const std::int64_t position = ((v - places[i]) % a.image + a.image) % a.image;
        ASSERT_EQ(images[static_cast<std::size_t>(position)],
                  mapped_index(a.boundary, v + offset, a.image))
            << "result " << v << ", kernel voxel " << kernels[i];
      }
    ASSERT_EQ(static_cast<std::int64_t>(kernels.size()), a.kernel);
  });
  EXPECT_EQ(closed, 168 + 14) << "same, and valid with kernels of one voxel";
}

TEST(AxisGeometry, GivesEveryResultExactlyTheProductsOfTheDefinition) {
  for_every_axis([](const AxisGeometry& a, std::int64_t center) {
    // What stands at each position, by the runs alone
    std::vector<std::int64_t> image(static_cast<std::size_t>(a.loaded), kOutside);
    for (const auto& run : image_runs(a))
      for (std::int64_t i = 0; i < run.count; ++i)
        image.at(static_cast<std::size_t>(run.position + i)) = run.source + i * run.step;
    std::vector<std::pair<std::int64_t, std::int64_t>> kernel;  // true position, kernel voxel
    for (const auto& run : kernel_runs(a, a.min_length))
      for (std::int64_t i = 0; i < run.count; ++i)
        kernel.emplace_back(run.position + i - (run.negative ? a.min_length : 0),
                            run.source + i * run.step);

    for (std::int64_t v = 0; v < a.wanted; ++v) {
      std::vector<std::pair<std::int64_t, std::int64_t>> expected, found;  // image, kernel voxel
      for (std::int64_t k = 0; k < a.kernel; ++k) {
        const std::int64_t offset = a.flip ? k - center : center - k;
        const std::int64_t f = mapped_index(a.boundary, a.result_begin + v + offset, a.image);
        if (f != kOutside) expected.emplace_back(f, k);
      }
      for (const auto& [position, k] : kernel) {
        const std::int64_t p = v - position;
        if (p >= 0 && p < a.loaded && image[static_cast<std::size_t>(p)] != kOutside)
          found.emplace_back(image[static_cast<std::size_t>(p)], k);
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << "result " << v;
    }
  });
}

TEST(KernelRuns, PlaceEveryCountedVoxelOnceWithinTheTransform) {
  for_every_axis([](const AxisGeometry& a, std::int64_t) {
    for (const std::int64_t length : {a.min_length, a.min_length + 3}) {
      std::vector<int> taken(static_cast<std::size_t>(length), 0);
      std::int64_t count = 0;
      for (const auto& run : kernel_runs(a, length))
        for (std::int64_t i = 0; i < run.count; ++i, ++count) {
          ++taken.at(static_cast<std::size_t>(run.position + i));
          const std::int64_t k = run.source + i * run.step;
          ASSERT_GE(k, 0);
          ASSERT_LT(k, a.kernel);
        }
      ASSERT_EQ(count, a.kernel_count);
      ASSERT_LE(*std::max_element(taken.begin(), taken.end()), 1) << "two voxels in one place";
    }
  });
}

struct RunsCase {
  const char* name;
  Boundary boundary;
  std::vector<IndexRun> runs;
};

// A line of 4 voxels and a kernel of 7 centred on its middle: positions 0 to 9 hold voxels -3 to 6.
const RunsCase kRunsCases[] = {
    {"zero", Boundary::zero, {{0, 0, 4, 1}}},
    {"nearest", Boundary::nearest, {{0, 0, 4, 0}, {4, 1, 3, 1}, {7, 3, 3, 0}}},
    {"reflect", Boundary::reflect, {{0, 2, 3, -1}, {3, 0, 4, 1}, {7, 3, 3, -1}}},
    {"mirror", Boundary::mirror, {{0, 3, 4, -1}, {4, 1, 3, 1}, {7, 2, 3, -1}}},
    {"wrap", Boundary::wrap, {{0, 1, 3, 1}, {3, 0, 4, 1}, {7, 0, 3, 1}}},
};

class ImageRuns : public testing::TestWithParam<RunsCase> {};

TEST_P(ImageRuns, AreFewAndFollowTheBoundary) {
  const auto a = axis_geometry(4, 7, 3, GetParam().boundary, Shape::same, false);
  const auto runs = image_runs(a);
  ASSERT_EQ(runs.size(), GetParam().runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i)
    EXPECT_TRUE(runs[i] == GetParam().runs[i])
        << runs[i].position << " from " << runs[i].source << " count " << runs[i].count << " step "
        << runs[i].step;
}

INSTANTIATE_TEST_SUITE_P(Table, ImageRuns, testing::ValuesIn(kRunsCases), test::kCaseName);

TEST(KernelRuns, AreOneRunOnEitherSideOfTheWrap) {
  const auto a = axis_geometry(10, 5, 2, Boundary::zero, Shape::same, false);
  const auto runs = kernel_runs(a, 12);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0] == (fftconv::IndexRun{10, 0, 2, 1, true}));
  EXPECT_TRUE(runs[1] == (fftconv::IndexRun{0, 2, 3, 1, false}));
}

}  // namespace
}  // namespace synthoscope::fftconv
