// SPDX-License-Identifier: MIT
#include "fftconv/line_rows.hpp"
#include <gtest/gtest.h>
#include <functional>
#include "core/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv {
namespace {

Volume<double> line_of(std::int64_t length, int step) {
  Volume<double> line{{1, 1, length}};
  for (std::size_t i = 0; i < line.voxels.size(); ++i)
    line.voxels[i] = static_cast<double>(static_cast<int>(i) * step % 23 - 11);
  return line;
}

/// h[o] = sum_k f[o + c - k] g[k] with zeros around; of rows, the same along y.
Volume<double> summed(const Problem& p, const Volume<double>& f, const Volume<double>& g) {
  Volume<double> h{output_extent(p)};
  const bool is_valid = p.shape == Shape::valid, is_full = p.shape == Shape::full;
  const auto first = [&](std::int64_t kernel, std::int64_t center) {
    return is_valid ? kernel - 1 : is_full ? 0 : center;
  };
  const std::int64_t y0 = first(p.kernel.y, p.center.y), x0 = first(p.kernel.x, p.center.x);
  for (std::int64_t y = 0; y < h.extent.y; ++y)
    for (std::int64_t x = 0; x < h.extent.x; ++x)
      for (std::int64_t ky = 0; ky < p.kernel.y; ++ky)
        for (std::int64_t kx = 0; kx < p.kernel.x; ++kx) {
          const std::int64_t at_y = y0 + y - ky, at_x = x0 + x - kx;
          if (at_y >= 0 && at_y < f.extent.y && at_x >= 0 && at_x < f.extent.x)
            h.view()(0, y, x) += f.view()(0, at_y, at_x) * g.view()(0, ky, kx);
        }
  return h;
}

struct LineCase {
  const char* name;
  std::int64_t image, kernel;
  bool has_kernel_rows;
};

const LineCase kLineCases[] = {
    {"kernel_of_one", 4096, 1, false},         {"short_kernel", 5000, 7, false},
    {"kernel_of_half_a_row", 1000, 20, false}, {"kernel_of_some_rows", 1000, 150, true},
    {"kernel_as_long", 700, 700, true},        {"longer_kernel", 600, 1300, true},
};

class LineAsRows : public testing::TestWithParam<LineCase> {};

TEST_P(LineAsRows, HasTheSameResultInEveryShape) {
  const auto& c = GetParam();
  for (const Shape shape : {Shape::full, Shape::same, Shape::valid}) {
    if (shape == Shape::valid && c.kernel > c.image) continue;
    Problem line = test::centred_problem({1, 1, c.image}, {1, 1, c.kernel});
    line.shape = shape;
    line.precision = Precision::float64;
    const auto rows = line_rows(line);
    if (output_extent(line).x < 256) {
      EXPECT_FALSE(rows);
      continue;
    }
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->problem.kernel.y > 1, c.has_kernel_rows);

    auto f = line_of(c.image, 7), g = line_of(c.kernel, 5);
    MemorySource image{f.view()}, kernel{g.view()};
    RowsOfLine image_rows{image, rows->problem.image, rows->image_first, rows->row};
    RowsOfLine kernel_rows{kernel, rows->problem.kernel, 0, rows->problem.kernel.x};
    const auto plane =
        summed(rows->problem, read_all<double>(image_rows), read_all<double>(kernel_rows));

    Volume<double> result{output_extent(line)};
    MemorySink sink{result.view()};
    LineOfRows line_of_rows{sink, plane.extent};
    line_of_rows.write({{0, 0, 0}, plane.extent}, plane.view());
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
