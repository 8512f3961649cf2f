// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/richardson_lucy.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/support/difference.hpp"
#include "tests/unit/deconvolution/run_in_memory.hpp"

namespace synthoscope::deconvolution {
namespace {

using test::field_of;
using test::RunInMemory;

double sum_of(const Volume<float>& volume) {
  return std::accumulate(volume.voxels.begin(), volume.voxels.end(), 0.0);
}

TEST(RichardsonLucy, KeepsTheLightOfTheImage) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto kernel = test::weights(geometry.kernel, 1);
    const auto image = test::in_single(
        test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel));
    for (const bool has_momentum : {false, true}) {
      RunInMemory run{geometry, image, kernel, 0, {}, has_momentum};
      const std::vector<double> shares = run.shares(geometry);
      for (int i = 0; i < 30; ++i) {
        run.lucy().iterate();
        const Volume<float> u = run.estimate();
        const double seen =
            std::inner_product(u.voxels.begin(), u.voxels.end(), shares.begin(), 0.0);
        EXPECT_NEAR(seen, sum_of(image), 1e-5 * sum_of(image)) << i;
      }
    }
  }
}

TEST(RichardsonLucy, NeverGetsLessLikely) {
  for (const double background : {0.0, 30.0})
    for (const Geometry& geometry : test::kGeometries) {
      const auto kernel = test::weights(geometry.kernel, 1);
      auto image = test::in_single(
          test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel));
      const auto errors = test::noise(geometry.field, 3, -1, 1);
      for (std::size_t i = 0; i < image.voxels.size(); ++i) {
        const double noisy = static_cast<double>(image.voxels[i]) + background +
                             std::sqrt(static_cast<double>(image.voxels[i])) * errors.voxels[i];
        image.voxels[i] = static_cast<float>(std::max(noisy, 0.0));
      }
      RunInMemory run{geometry, image, kernel, background};
      double before = run.lucy().iterate();
      for (int i = 0; i < 20; ++i) {
        const double now = run.lucy().iterate();
        EXPECT_GE(now, before - 1e-6 * std::abs(before)) << i;
        before = now;
      }
    }
}

/// Points of light where the field sees them: what it hardly sees is taken to be dark.
Volume<double> light_in_sight(const Geometry& geometry, const Volume<double>& kernel) {
  RunInMemory begun{geometry, test::in_single(test::noise(geometry.field, 4, 1, 1)), kernel};
  const Volume<float> part = begun.estimate();
  auto light = test::points_of_light(estimate_extent(geometry), 2);
  for (std::size_t i = 0; i < part.voxels.size(); ++i)
    if (part.voxels[i] == 0) light.voxels[i] = 0;
  return light;
}

TEST(RichardsonLucy, StaysAtLightThatExplainsTheImage) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto kernel = test::weights(geometry.kernel, 1);
    const auto light = light_in_sight(geometry, kernel);
    RunInMemory run{geometry, test::in_single(test::blurred(geometry, light, kernel)), kernel};
    const auto start = test::in_single(light);
    run.begin_with(start);
    for (int i = 0; i < 3; ++i) run.lucy().iterate();
    const auto in_field = [&](const Volume<float>& u) { return field_of(geometry, u); };
    EXPECT_LE(synthoscope::test::largest_difference(in_field(run.estimate()), in_field(start)),
              1e-5 * synthoscope::test::largest_magnitude(start));
  }
}

/// What the truth tells against an estimate: the sum of t ln(t / u) - t + u, each voxel as often as
/// the field sees it.
double divergence(const Volume<double>& truth, const Volume<float>& estimate,
                  const std::vector<double>& shares) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.voxels.size(); ++i) {
    const double t = truth.voxels[i], u = static_cast<double>(estimate.voxels[i]);
    if (shares[i] > 0) sum += shares[i] * ((t > 0 ? t * std::log(t / u) : 0) - t + u);
  }
  return sum;
}

TEST(RichardsonLucy, GetsNearerToTheLightInEveryIteration) {
  const Geometry geometry{{1, 40, 44}, {1, 7, 7}, {0, 3, 3}};
  Volume<double> kernel{geometry.kernel};
  for (std::int64_t y = 0; y < 7; ++y)
    for (std::int64_t x = 0; x < 7; ++x)
      kernel.view()(0, y, x) =
          std::exp(-0.25 * static_cast<double>((y - 3) * (y - 3) + (x - 3) * (x - 3)));
  const double sum = std::accumulate(kernel.voxels.begin(), kernel.voxels.end(), 0.0);
  for (double& weight : kernel.voxels) weight /= sum;
  const auto light = light_in_sight(geometry, kernel);
  RunInMemory run{geometry, test::in_single(test::blurred(geometry, light, kernel)), kernel};
  const std::vector<double> shares = run.shares(geometry);
  double before = divergence(light, run.estimate(), shares);
  const double first = before;
  for (int i = 0; i < 100; ++i) {
    run.lucy().iterate();
    const double now = divergence(light, run.estimate(), shares);
    EXPECT_LT(now, before) << i;
    before = now;
  }
  EXPECT_LT(before, 0.5 * first);
}

TEST(RichardsonLucy, WithMomentumNeedsFarFewerIterations) {
  const Geometry geometry{{8, 30, 30}, {5, 7, 7}, {2, 3, 3}};
  const auto kernel = test::weights(geometry.kernel, 1);
  const auto light = light_in_sight(geometry, kernel);
  const auto image = test::in_single(test::blurred(geometry, light, kernel));
  RunInMemory plain{geometry, image, kernel}, fast{geometry, image, kernel, 0, {}, true};
  const std::vector<double> shares = plain.shares(geometry);
  for (int i = 0; i < 120; ++i) plain.lucy().iterate();
  for (int i = 0; i < 40; ++i) fast.lucy().iterate();
  EXPECT_LT(divergence(light, fast.estimate(), shares),
            divergence(light, plain.estimate(), shares));
}

TEST(RichardsonLucy, FindsEdgesAsWellAsTheMiddle) {
  const Geometry geometry{{1, 60, 60}, {1, 9, 9}, {0, 4, 4}};
  const auto kernel = test::weights(geometry.kernel, 1);
  const auto light = light_in_sight(geometry, kernel);
  RunInMemory run{geometry, test::in_single(test::blurred(geometry, light, kernel)), kernel};
  for (int i = 0; i < 50; ++i) run.lucy().iterate();
  const Volume<float> truth = field_of(geometry, test::in_single(light)),
                      found = field_of(geometry, run.estimate());
  double edge = 0, middle = 0, at_edge = 0, in_middle = 0;
  for (std::int64_t y = 0; y < 60; ++y)
    for (std::int64_t x = 0; x < 60; ++x) {
      const bool is_edge = std::min({y, x, 59 - y, 59 - x}) < 5;
      const double off =
          static_cast<double>(found.view()(0, y, x)) - static_cast<double>(truth.view()(0, y, x));
      (is_edge ? edge : middle) += off * off;
      (is_edge ? at_edge : in_middle) += 1;
    }
  EXPECT_LT(std::sqrt(edge / at_edge), 1.5 * std::sqrt(middle / in_middle));
}

TEST(RichardsonLucy, RefusesAnImageWithoutLight) {
  const Geometry geometry{{1, 8, 8}, {1, 3, 3}, {0, 1, 1}};
  const auto kernel = test::weights(geometry.kernel, 1);
  EXPECT_THROW(
      (RunInMemory{geometry, test::in_single(test::noise(geometry.field, 1, 0, 9)), kernel, 10}),
      InvalidInput);
}

}  // namespace
}  // namespace synthoscope::deconvolution
