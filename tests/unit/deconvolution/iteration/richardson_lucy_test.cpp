// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/richardson_lucy.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "fftconv/host/executor.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

using fftconv::Strategy;

/// The strategy of both convolutions.
struct Steps {
  Strategy blur = Strategy::automatic, adjoint = Strategy::automatic;
};

/// A run, and what it needs.
class RunInMemory {
 public:
  RunInMemory(const Geometry& geometry, const Volume<float>& image, const Volume<double>& kernel,
              double background = 0, const Steps& steps = {}, bool has_momentum = false)
      : image_{image},
        kernel_{kernel},
        estimate_{estimate_extent(geometry), PixelType::float32, test_.memory, "estimate"},
        residual_{geometry.field, PixelType::float32, test_.memory, "residual"},
        last_{estimate_extent(geometry), PixelType::float32, test_.memory, "last estimate"},
        lucy_{{geometry, {&kernel_source_, 0, 1}, background},
              {image_source_},
              {estimate_, residual_, has_momentum ? &last_ : nullptr},
              {plan_convolution(blur_problem(geometry), executor_->machine(), steps.blur),
               plan_convolution(adjoint_problem(geometry), executor_->machine(), steps.adjoint)},
              *executor_,
              test_.context} {
    lucy_.begin();
  }

  RichardsonLucy& lucy() { return lucy_; }
  Volume<float> estimate() { return read_all<float>(lucy_.result()); }
  void begin_with(const Volume<float>& light) {
    estimate_.write(whole(light.extent), ConstVoxelView{light.view()});
  }
  /// SeenShare of all voxels.
  std::vector<double> shares(const Geometry& geometry) {
    const SeenShare share{geometry, {&kernel_source_, 0, 1}, test_.context};
    const Extent3 e = estimate_extent(geometry);
    std::vector<float> row(static_cast<std::size_t>(e.x));
    std::vector<double> all;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y) {
        share.fill_row(z, y, 0, row);
        all.insert(all.end(), row.begin(), row.end());
      }
    return all;
  }

 private:
  synthoscope::test::TestContext test_;
  Volume<float> image_;
  Volume<double> kernel_;
  MemorySource image_source_{ConstVoxelView{std::as_const(image_).view()}};
  MemorySource kernel_source_{ConstVoxelView{std::as_const(kernel_).view()}};
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  ScratchVolume estimate_, residual_, last_;
  RichardsonLucy lucy_;
};

/// The part of an estimate that lies in the field.
Volume<float> field_of(const Geometry& geometry, const Volume<float>& estimate) {
  Volume<float> part{geometry.field};
  MemorySource{ConstVoxelView{estimate.view()}}.read(field_in_estimate(geometry),
                                                     VoxelView{part.view()});
  return part;
}

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

/// The iteration by its formula, u H^T (f / e) / (H^T 1), in double precision.
class ByFormula {
 public:
  ByFormula(const Geometry& geometry, const Volume<float>& image, const Volume<double>& kernel,
            double background, bool has_momentum)
      : geometry_{geometry},
        image_{image},
        kernel_{kernel},
        background_{background},
        has_momentum_{has_momentum},
        shares_{test::projected_back(geometry, test::noise(geometry.field, 1, 1, 1), kernel)} {
    const double most = synthoscope::test::largest_magnitude(shares_);
    double seen = 0, light = 0;
    for (double& share : shares_.voxels) seen += share = share > 1e-3 * most ? share : 0;
    for (const float f : image.voxels) light += std::max(static_cast<double>(f) - background, 0.0);
    even_ = light / seen;
    for (std::size_t i = 0; i < light_.voxels.size(); ++i)
      light_.voxels[i] = shares_.voxels[i] > 0 ? even_ : 0;
    last_ = light_;
  }

  void iterate() {
    ++iterations_;
    Volume<double> ratio = test::blurred(geometry_, light_, kernel_);
    for (std::size_t i = 0; i < ratio.voxels.size(); ++i)
      ratio.voxels[i] = static_cast<double>(image_.voxels[i]) / (ratio.voxels[i] + background_);
    const auto back = test::projected_back(geometry_, ratio, kernel_);
    const double weight = has_momentum_ ? (iterations_ - 1.0) / (iterations_ + 2.0) : 0;
    for (std::size_t i = 0; i < back.voxels.size(); ++i) {
      const double share = shares_.voxels[i], before = last_.voxels[i];
      const double next = share > 0 ? light_.voxels[i] * back.voxels[i] / share : 0;
      last_.voxels[i] = next;
      light_.voxels[i] =
          std::max(next + weight * (next - before), std::min(next, kLeastBeyond * even_));
    }
  }

  [[nodiscard]] const Volume<double>& estimate() const { return last_; }

 private:
  Geometry geometry_;
  Volume<float> image_;
  Volume<double> kernel_;
  double background_;
  bool has_momentum_;
  Volume<double> shares_, light_{shares_}, last_;
  double even_ = 0;
  int iterations_ = 0;
};

TEST(RichardsonLucy, IsItsFormulaInDoublePrecision) {
  for (const bool has_momentum : {false, true})
    for (const double background : {0.0, 30.0})
      for (const Geometry& geometry : test::kGeometries) {
        SCOPED_TRACE(testing::Message()
                     << geometry.field << " by " << geometry.kernel << ", background " << background
                     << ", momentum " << has_momentum);
        const auto kernel = test::weights(geometry.kernel, 1);
        auto image = test::in_single(
            test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel));
        for (float& voxel : image.voxels) voxel += static_cast<float>(background);
        RunInMemory run{geometry, image, kernel, background, {}, has_momentum};
        ByFormula formula{geometry, image, kernel, background, has_momentum};
        for (int i = 0; i < 30; ++i) {
          run.lucy().iterate();
          formula.iterate();
          // Also beyond the field, where H^T 1 is small
          const double error =
              synthoscope::test::largest_difference(run.estimate(), formula.estimate());
          EXPECT_LE(error, (i == 0 ? 2e-6 : 1e-5) *
                               synthoscope::test::largest_magnitude(formula.estimate()))
              << i;
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

class AnySteps : public testing::TestWithParam<Steps> {};

TEST_P(AnySteps, GiveTheEstimateOfEveryOther) {
  const Geometry geometry{{24, 20, 26}, {7, 5, 6}, {3, 2, 1}};
  const auto kernel = test::weights(geometry.kernel, 1);
  const auto image = test::in_single(
      test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel));
  for (const bool has_momentum : {false, true}) {
    RunInMemory in_core{geometry,    image, kernel, 10, {Strategy::in_core, Strategy::in_core},
                        has_momentum},
        other{geometry, image, kernel, 10, {GetParam().blur, GetParam().adjoint}, has_momentum};
    for (int i = 0; i < 30; ++i) {
      in_core.lucy().iterate();
      other.lucy().iterate();
      if (i > 0 && i < 29) continue;
      // Also beyond the field, where H^T 1 is small
      const auto u = in_core.estimate();
      EXPECT_LE(synthoscope::test::largest_difference(u, other.estimate()),
                (i == 0 ? 2e-6 : 1e-5) * synthoscope::test::largest_magnitude(u))
          << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, AnySteps,
                         testing::Values(Steps{Strategy::ring, Strategy::in_core},
                                         Steps{Strategy::in_core, Strategy::ring},
                                         Steps{Strategy::ring, Strategy::ring},
                                         Steps{Strategy::tiles, Strategy::tiles},
                                         Steps{Strategy::parts, Strategy::parts}),
                         [](const auto& steps) {
                           return std::string{name_of(steps.param.blur)}.substr(0, 2) + "_" +
                                  std::string{name_of(steps.param.adjoint)}.substr(0, 2);
                         });

TEST(RichardsonLucy, RefusesAnImageWithoutLight) {
  const Geometry geometry{{1, 8, 8}, {1, 3, 3}, {0, 1, 1}};
  const auto kernel = test::weights(geometry.kernel, 1);
  EXPECT_THROW(
      (RunInMemory{geometry, test::in_single(test::noise(geometry.field, 1, 0, 9)), kernel, 10}),
      InvalidInput);
}

}  // namespace
}  // namespace synthoscope::deconvolution
