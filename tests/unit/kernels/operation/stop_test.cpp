// SPDX-License-Identifier: MIT
// tests/unit/kernels/operation/stop_test.cpp — operations look at a stop at short distances,
// however wide their neighbourhoods are.
#include "core/run/stop.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include "core/base/error.hpp"
#include "kernels/arrays/double_correlation.hpp"
#include "kernels/arrays/line_filter.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/correlate/correlation.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/filters/named_filters.hpp"
#include "kernels/resample/resample.hpp"
#include "kernels/variance/local_variance.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr Extent3 kImage{4, 12, 100};

/// Multiply-adds, comparisons or the like that may be done between two looks: some milliseconds.
constexpr double kMaxWork = 1 << 22;

/// How many voxels `work` made of `made` until its look number `look` was answered by a stop; all
/// if it ended before.
template <class Work>
std::int64_t made_until(std::int64_t look, Volume<float>& made, bool& was_stopped,
                        const Work& work) {
  std::ranges::fill(made.voxels, std::numeric_limits<float>::quiet_NaN());
  StopFlag stop;
  stop.request_at_check(look);
  was_stopped = false;
  try {
    const StopScope scope{stop};
    work();
  } catch (const Interrupted&) {
    was_stopped = true;
  }
  return std::ranges::count_if(made.voxels, [](float v) { return !std::isnan(v); });
}

/// Between two looks of `work` no more than kMaxWork is done, if each voxel of `made` takes so
/// much; and a stop does end it.
template <class Work>
void expect_short_distances(Volume<float>& made, double work_of_voxel, const Work& work) {
  const auto all = static_cast<double>(made.voxels.size()) * work_of_voxel;
  ASSERT_GT(all, 2 * kMaxWork) << "too little work to tell";
  bool was_stopped = true, stops_after = true;
  for (std::int64_t look = 0; was_stopped; look = 4 * look + 1) {
    const std::int64_t before = made_until(look, made, was_stopped, work);
    const std::int64_t after = made_until(look + 1, made, stops_after, work);
    EXPECT_LE(static_cast<double>(after - before) * work_of_voxel, kMaxWork) << "look " << look;
    EXPECT_LE(static_cast<double>(before) * work_of_voxel,
              kMaxWork * static_cast<double>(look + 1));
    if (look == 0) {
      EXPECT_TRUE(was_stopped);
    }
  }
  EXPECT_EQ(made_until(std::numeric_limits<std::int64_t>::max(), made, was_stopped, work),
            static_cast<std::int64_t>(made.voxels.size()));
}

struct OperationCase {
  const char* name;
  std::function<std::unique_ptr<Operation>()> make;
  double work_of_voxel;
};

std::unique_ptr<Operation> filter_by(FilterStrategy strategy, const FilterKernel& kernel) {
  return make_filter({kImage}, kernel, strategy).operation;
}

Stencil noise(const Extent3& extent) {
  return correlation_stencil(extent, test::pattern<double>(extent).voxels);
}

std::unique_ptr<Operation> variance_by(VarianceStrategy strategy, const LocalWindow& window) {
  LocalVarianceSpec spec;
  spec.windows = {window};
  spec.strategy = strategy;
  return local_variance(spec, kImage, PixelType::uint16);
}

/// Turned by half a right angle about x.
std::unique_ptr<Operation> turned_by(Interpolation interpolation) {
  const double half = std::sqrt(0.5);
  Affine affine;
  affine.rows = {{{half, half, 0, 0}, {-half, half, 0, 0}, {0, 0, 1, 0}}};
  ResampleSpec spec;
  spec.result = {40, 200, 100};
  spec.interpolation = interpolation;
  spec.outside = Outside::nearest;
  return std::make_unique<Resample>(kImage, std::make_shared<AffineMap>(affine), spec);
}

constexpr LocalWindow kWideBox{WindowShape::box, 9, 19, 19};

const OperationCase kOperationCases[] = {
    {"filter_global",
     [] {
       return filter_by(FilterStrategy::global, noise({9, 21, 21}));
     },
     3969},
    {"filter_shared",
     [] {
       return filter_by(FilterStrategy::shared, noise({9, 21, 21}));
     },
     3969},
    {"filter_registers",
     [] {
       return filter_by(FilterStrategy::registers, noise({9, 21, 21}));
     },
     3969},
    {"filter_very_wide",
     [] {
       return filter_by(FilterStrategy::registers, noise({21, 61, 61}));
     },
     78141},
    {"filter_separable",
     [] {
       return filter_by(FilterStrategy::separable, gaussian({0, 150, 150}, 4));
     },
     2402},
    {"variance_two_pass", [] { return variance_by(VarianceStrategy::two_pass, kWideBox); }, 6498},
    {"variance_online", [] { return variance_by(VarianceStrategy::online, kWideBox); }, 3249},
    {"variance_pairwise", [] { return variance_by(VarianceStrategy::pairwise, kWideBox); }, 3249},
    {"variance_koenig", [] { return variance_by(VarianceStrategy::koenig, kWideBox); }, 3249},
    {"variance_threewise",
     [] {
       return variance_by(VarianceStrategy::threewise, {WindowShape::gaussian, 1, 30, 30});
     },
     2400},
    {"resample_nearest", [] { return turned_by(Interpolation::nearest); }, 12},
    {"resample_linear", [] { return turned_by(Interpolation::linear); }, 12},
    {"resample_cubic", [] { return turned_by(Interpolation::cubic); }, 64},
    {"resample_lanczos", [] { return turned_by(Interpolation::lanczos); }, 216},
};

class StoppedOperation : public testing::TestWithParam<OperationCase> {};

TEST_P(StoppedOperation, LooksAtAStopAtShortDistances) {
  const auto operation = GetParam().make();
  const auto image = test::pattern<std::uint16_t>(kImage);
  Volume<float> made{operation->extent()};
  TaskPool pool{1};
  expect_short_distances(made, GetParam().work_of_voxel, [&] {
    const VoxelView view = made.view();
    operation->apply(whole_window(image.view()), whole(operation->extent()), {&view, 1}, pool);
  });
}

INSTANTIATE_TEST_SUITE_P(Table, StoppedOperation, testing::ValuesIn(kOperationCases),
                         test::kCaseName);

TEST(StoppedOperation, EndsBricksThroughTheFlagOfItsContext) {
  const auto operation = filter_by(FilterStrategy::global, noise({9, 21, 21}));
  const auto image = test::pattern<std::uint16_t>(kImage);
  const auto plan =
      plan_bricks(*operation, kImage, PixelType::uint16, BoxOrder::any, {std::int64_t{1} << 30}, 1);
  ASSERT_EQ(brick_count(plan), 1);
  test::TestContext test{1};
  MemorySource source{image.view()};
  test::CheckingSink<float> sink{kImage, BoxOrder::any};
  Sink* const sinks[] = {&sink};
  test.stop.request_at_check(20);  // within the only brick
  EXPECT_THROW(run_bricks(plan, *operation, source, sinks, test.context), Interrupted);
  EXPECT_FALSE(sink.whole());
}

TEST(StoppedOperation, EndsSumsInDoubleAndFiltersOfLinesThroughTheFlagOfTheirContext) {
  const auto image = test::pattern<float>({1, 40, 600});
  Volume<float> made{image.extent};
  test::TestContext test{1};
  expect_short_distances(made, 4095, [&] {
    const StopFlag of_context{*StopScope::current()};
    const RunContext context{test.pool, test.memory, test.progress, test.log, of_context};
    correlate_in_double({noise({1, 63, 65})}, image.view(), made.view(), context);
  });
  const std::vector<double> weights(4001, 1.0 / 4001);
  test.stop.request_at_check(3);  // within the only group of lines
  EXPECT_THROW(
      filter_lines(*line_correlation(weights, 0), {}, image.view(), made.view(), test.context),
      Interrupted);
}

TEST(Factoring, OfALargeKernelEndsAtAStop) {
  StopFlag stop;
  stop.request_at_check(1);
  const StopScope scope{stop};
  EXPECT_THROW((void)as_sum_of_products(noise({1, 301, 301}), 1e-6), Interrupted);
}

}  // namespace
}  // namespace synthoscope::kernels
