// SPDX-License-Identifier: MIT
// Parts, simulated images, errors and kept estimates of a search for the number of iterations.
#include "jobs/light/number_search.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include <utility>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "jobs/light/blurred_difference.hpp"
#include "jobs/light/brightest_part.hpp"
#include "jobs/light/kept_estimates.hpp"
#include "jobs/light/simulated_image.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::jobs {
namespace {

MemorySource source_of(const Volume<float>& volume) {
  return MemorySource{ConstVoxelView{volume.view()}};
}

TEST(PartExtent, HasAtMostTheVoxelsAndIsAsSquareAsTheImageAllows) {
  struct Row {
    Extent3 whole;
    std::int64_t voxels, planes;
    Extent3 part;
  };
  for (const Row& row : {Row{{10, 20, 30}, 1 << 20, 128, {10, 20, 30}},
                         {{300, 1000, 1000}, 128 * 400, 128, {128, 20, 20}},
                         {{300, 1000, 1000}, 300 * 400, 300, {300, 20, 20}},
                         {{1, 1000, 1000}, 10000, 128, {1, 100, 100}},
                         {{1, 10, 1000}, 1000, 128, {1, 10, 100}},
                         {{1, 1000, 10}, 1000, 128, {1, 100, 10}}})
    EXPECT_EQ(part_extent(row.whole, row.voxels, row.planes), row.part) << row.voxels;
}

TEST(BrightestPart, IsTheBoxWithTheMostLight) {
  Volume<float> image{{4, 30, 45}};
  image.view()(2, 28, 2) = 5;
  image.view()(1, 5, 44) = 3;
  MemorySource source = source_of(image);
  synthoscope::test::TestContext test;
  const Box3 whole_box = brightest_part(source, {4, 30, 45}, test.context);
  EXPECT_EQ(whole_box, (Box3{{0, 0, 0}, {4, 30, 45}}));
  EXPECT_EQ(brightest_part(source, {4, 10, 10}, test.context), (Box3{{0, 20, 0}, {4, 10, 10}}));
}

TEST(SimulatedImage, HasPoissonNumbersThatDoNotDependOnBoxes) {
  const Extent3 field{2, 60, 70};
  Volume<float> light{field}, all{field}, again{field};
  std::fill(light.voxels.begin(), light.voxels.end(), 6.0F);
  SimulatedImage image{field, 3, 0};
  image.apply(whole(field), HostView3<const float>{light.view()}, VoxelView{all.view()});
  const auto n = static_cast<double>(all.voxels.size());
  const double mean = std::accumulate(all.voxels.begin(), all.voxels.end(), 0.0) / n;
  double squares = 0;
  for (const float voxel : all.voxels) squares += std::pow(static_cast<double>(voxel) - mean, 2);
  EXPECT_NEAR(mean, 9, 5 * 3 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 9, 5 * 9 * std::sqrt(2 / n));

  for (std::int64_t z = 0; z < field.z; ++z)
    for (std::int64_t y = 0; y < field.y; ++y) {
      const Extent3 row{1, 1, field.x};
      image.apply({{z, y, 0}, row}, HostView3<const float>{light.view().row(z, y), row},
                  VoxelView{HostView3<float>{again.view().row(z, y), row}});
    }
  EXPECT_EQ(again.voxels, all.voxels);
}

TEST(BlurredDifference, IsTheSumOfSquaresOfTheBlurredDifference) {
  // A point has the sum of squares of a Gaussian: a product of 1 / (2 sqrt(pi) sigma)
  const Extent3 extent{1, 64, 64};
  Volume<float> a{extent}, b{extent};
  a.view()(0, 32, 32) = 5;
  b.view()(0, 32, 32) = 3;
  MemorySource of_a = source_of(a), of_b = source_of(b);
  synthoscope::test::TestContext test;
  EXPECT_NEAR(blurred_difference(of_a, of_b, {0, 0, 0}, test.context), 4, 1e-6);
  const double along = 1 / (2 * std::sqrt(std::acos(-1.0)));
  EXPECT_NEAR(blurred_difference(of_a, of_b, {0, 2, 3}, test.context), 4 * along * along / 6,
              4 * 0.01 * along * along / 6);
  EXPECT_EQ(blurred_difference(of_a, of_a, {0, 2, 3}, test.context), 0);
}

/// Iterations on a small image of points, with or without momentum.
class SmallLight {
 public:
  explicit SmallLight(bool has_momentum) {
    plan_.has_momentum = has_momentum;
    plan_.steps = plan_steps(geometry_, executor_->machine());
  }

  std::unique_ptr<Iterations> make() {
    return make_iterations(plan_, model_, image_, {*executor_, 0, {test_.memory, std::nullopt}},
                           test_.context);
  }

  KeptEstimates none_kept() { return {geometry_, plan_.has_momentum ? 2 : 1, test_.memory}; }

  Volume<float> voxels(Iterations& light) {
    Volume<float> all{estimate_extent(geometry_)};
    light.result().read(whole(all.extent), VoxelView{all.view()});
    return all;
  }

  synthoscope::test::TestContext test_;

 private:
  deconvolution::Geometry geometry_ = deconvolution::test::kGeometries[0];
  Volume<float> weights_ =
      deconvolution::test::in_single(deconvolution::test::weights(geometry_.kernel, 1));
  Volume<float> points_ =
      deconvolution::test::in_single(deconvolution::test::points_of_light(geometry_.field, 3));
  MemorySource kernel_{ConstVoxelView{weights_.view()}}, image_{ConstVoxelView{points_.view()}};
  deconvolution::Model model_{geometry_, {&kernel_, 0, 1}, 1};
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  IterationPlan plan_;
};

void iterate_to(Iterations& light, int number) {
  while (light.iterations() < number) light.iterate();
}

TEST(KeptEstimates, ContinueWithTheSameBits) {
  for (const bool has_momentum : {false, true}) {
    SmallLight small{has_momentum};
    KeptEstimates kept = small.none_kept();
    EXPECT_EQ(kept.iterations(), 0);
    const auto light = small.make();
    light->begin();
    iterate_to(*light, 3);
    kept.keep(*light, small.test_.context);
    iterate_to(*light, 7);

    const auto other = small.make();
    kept.restore(*other, small.test_.context);
    EXPECT_EQ(other->iterations(), 3);
    iterate_to(*other, 7);
    EXPECT_EQ(small.voxels(*other).voxels, small.voxels(*light).voxels) << has_momentum;
  }
}

}  // namespace
}  // namespace synthoscope::jobs
