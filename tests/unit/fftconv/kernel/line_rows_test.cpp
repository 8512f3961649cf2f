// SPDX-License-Identifier: MIT
#include "fftconv/kernel/line_rows.hpp"
#include <gtest/gtest.h>
#include <functional>
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

Volume<double> noise(const Extent3& extent, int step) {
  Volume<double> volume{extent};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    volume.voxels[i] = static_cast<double>(static_cast<int>(i) * step % 23 - 11);
  return volume;
}

/// h[o] = sum_k f[o + c - k] g[k] with zeros around, along y and x; kernels are one plane.
Volume<double> summed(const Problem& p, const Volume<double>& f, const Volume<double>& g) {
  Volume<double> h{output_extent(p)};
  const bool is_valid = p.shape == Shape::valid, is_full = p.shape == Shape::full;
  const auto first = [&](std::int64_t kernel, std::int64_t center) {
    return is_valid ? kernel - 1 : is_full ? 0 : center;
  };
  const std::int64_t y0 = first(p.kernel.y, p.center.y), x0 = first(p.kernel.x, p.center.x);
  const auto sum_at = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    double sum = 0;
    for (std::int64_t ky = 0; ky < p.kernel.y; ++ky)
      for (std::int64_t kx = 0; kx < p.kernel.x; ++kx) {
        const std::int64_t at_y = y0 + y - ky, at_x = x0 + x - kx;
        if (at_y >= 0 && at_y < f.extent.y && at_x >= 0 && at_x < f.extent.x)
          sum += f.view()(z, at_y, at_x) * g.view()(0, ky, kx);
      }
    return sum;
  };
  for (std::int64_t z = 0; z < h.extent.z; ++z)
    for (std::int64_t y = 0; y < h.extent.y; ++y)
      for (std::int64_t x = 0; x < h.extent.x; ++x) h.view()(z, y, x) = sum_at(z, y, x);
  return h;
}

struct LineCase {
  const char* name;
  Extent3 image;
  std::int64_t kernel;
  bool has_kernel_rows;
};

const LineCase kLineCases[] = {
    {"kernel_of_one", {1, 1, 4096}, 1, false},
    {"short_kernel", {1, 1, 5000}, 7, false},
    {"kernel_of_half_a_row", {1, 1, 1000}, 20, false},
    {"kernel_of_some_rows", {1, 1, 1000}, 150, true},
    {"kernel_as_long", {1, 1, 700}, 700, true},
    {"longer_kernel", {1, 1, 600}, 1300, true},
    {"lines_of_a_plane", {1, 5, 700}, 9, false},
    {"lines_of_a_volume", {3, 4, 515}, 50, false},
};

class LineAsRows : public testing::TestWithParam<LineCase> {};

TEST_P(LineAsRows, HasTheSameResultInEveryShape) {
  const auto& c = GetParam();
  for (const Shape shape : {Shape::full, Shape::same, Shape::valid}) {
    if (shape == Shape::valid && c.kernel > c.image.x) continue;
    Problem line = test::centred_problem(c.image, {1, 1, c.kernel});
    line.shape = shape;
    line.precision = Precision::float64;
    const auto rows = line_rows(line);
    if (output_extent(line).x < 256) {
      EXPECT_FALSE(rows);
      continue;
    }
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->problem.kernel.y > 1, c.has_kernel_rows);

    auto f = noise(c.image, 7), g = noise({1, 1, c.kernel}, 5);
    MemorySource image{f.view()}, kernel{g.view()};
    RowsOfLines image_rows{image, rows->problem.image,
                           rows->rows_of_line + rows->problem.kernel.y - 1, rows->image_first,
                           rows->row};
    RowsOfLines kernel_rows{kernel, rows->problem.kernel, rows->problem.kernel.y, 0,
                            rows->problem.kernel.x};
    const auto plane =
        summed(rows->problem, read_all<double>(image_rows), read_all<double>(kernel_rows));

    Volume<double> result{output_extent(line)};
    MemorySink sink{result.view()};
    LinesOfRows lines_of_rows{sink, plane.extent, rows->rows_of_line};
    lines_of_rows.write({{0, 0, 0}, plane.extent}, plane.view());
    EXPECT_EQ(result.voxels, summed(line, f, g).voxels) << name_of(shape);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, LineAsRows, testing::ValuesIn(kLineCases), test::kCaseName);

struct OtherCase {
  const char* name;
  Problem problem;
};

Problem with(Problem p, const std::function<void(Problem&)>& change) {
  change(p);
  return p;
}

const Problem kLine = test::centred_problem({1, 1, 5000}, {1, 1, 9});

const OtherCase kOtherCases[] = {
    {"an_image", test::centred_problem({1, 64, 64}, {1, 3, 3})},
    {"many_short_lines", test::centred_problem({1, 64, 512}, {1, 1, 90})},
    {"a_kernel_across", test::centred_problem({1, 1, 5000}, {1, 3, 3})},
    {"a_column", test::centred_problem({1, 5000, 1}, {1, 9, 1})},
    {"a_short_line", test::centred_problem({1, 1, 255}, {1, 1, 9})},
    {"a_boundary", with(kLine, [](Problem& p) { p.boundary = Boundary::wrap; })},
    {"correlation", with(kLine, [](Problem& p) { p.correlate = true; })},
    {"terms", with(kLine, [](Problem& p) { p.terms = 2; })},
    {"a_mean", with(kLine, [](Problem& p) { p.remove_mean = true; })},
    {"planes_in_order", with(kLine, [](Problem& p) { p.order = BoxOrder::planes_in_order; })},
};

class NotAsRows : public testing::TestWithParam<OtherCase> {};

TEST_P(NotAsRows, IsConvolvedAsItIs) {
  EXPECT_FALSE(line_rows(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(Table, NotAsRows, testing::ValuesIn(kOtherCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
