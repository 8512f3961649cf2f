// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/depth_psf.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <deque>
#include "deconvolution/iteration/richardson_lucy.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"
#include "tests/unit/deconvolution/expect_share.hpp"

namespace synthoscope::deconvolution {
namespace {

using fftconv::Strategy;

constexpr int kPsfs = 3;

/// Weights of planes that interpolate between kPsfs depths, times a factor that changes.
std::vector<double> weights_of(std::int64_t planes, int psf) {
  std::vector<double> weights;
  for (std::int64_t z = 0; z < planes; ++z) {
    const double at =
        planes > 1 ? static_cast<double>(z * (kPsfs - 1)) / static_cast<double>(planes - 1) : 0.3;
    weights.push_back(std::max(0.0, 1 - std::abs(at - psf)) * (1 - 0.1 * at));
  }
  return weights;
}

/// PSFs of a geometry, and what runs with them.
class DepthRun {
 public:
  /// @param are_equal  all have the same PSF
  explicit DepthRun(const Geometry& geometry, bool are_equal = false,
                    Strategy strategy = Strategy::automatic)
      : geometry_{geometry}, plans_{plan_steps(geometry, executor_->machine(), strategy)} {
    const Extent3 e = estimate_extent(geometry);
    for (int j = 0; j < kPsfs; ++j) {
      kernels_.push_back(test::weights(geometry.kernel, are_equal ? 1 : 10 + j));
      sources_.emplace_back(ConstVoxelView{std::as_const(kernels_.back()).view()});
      psfs_.push_back({{&sources_.back(), 0, 1}, weights_of(e.z, j)});
      if (!are_equal) continue;
      for (std::int64_t z = 0; z < e.z; ++z) {
        double sum = 0;  // equal PSFs with weights that add up to 1 are one PSF
        for (int i = 0; i < kPsfs; ++i) sum += weights_of(e.z, i)[static_cast<std::size_t>(z)];
        psfs_.back().weights[static_cast<std::size_t>(z)] /= sum;
      }
    }
  }

  [[nodiscard]] const std::vector<WeightedPsf>& psfs() const { return psfs_; }
  [[nodiscard]] const StepPlans& plans() const { return plans_; }
  [[nodiscard]] const RunContext& context() const { return test_.context; }
  [[nodiscard]] fftconv::Executor& executor() { return *executor_; }
  ScratchVolume volume(const Extent3& extent) {
    return {extent, PixelType::float32, test_.memory, "a volume"};
  }

  Volume<float> blur(const Volume<float>& light) {
    MemorySource source{ConstVoxelView{light.view()}};
    ScratchVolume sum = volume(geometry_.field);
    DepthConvolution{psfs_, *executor_, test_.context}.blur(plans_.blur, source, sum);
    return read_all<float>(sum);
  }
  Volume<float> adjoint(const Volume<float>& residuals) {
    MemorySource source{ConstVoxelView{residuals.view()}};
    ScratchVolume sum = volume(estimate_extent(geometry_));
    DepthConvolution{psfs_, *executor_, test_.context}.adjoint(plans_.adjoint, source, sum);
    return read_all<float>(sum);
  }

 private:
  synthoscope::test::TestContext test_;
  Geometry geometry_;
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  StepPlans plans_;
  std::deque<Volume<double>> kernels_;
  std::deque<MemorySource> sources_;
  std::vector<WeightedPsf> psfs_;
};

double product_of(const Volume<float>& a, const Volume<float>& b) {
  return std::inner_product(
      a.voxels.begin(), a.voxels.end(), b.voxels.begin(), 0.0, std::plus<>{},
      [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

double size_of(const Volume<float>& a) {
  return std::sqrt(product_of(a, a));
}

TEST(DepthConvolution, HasItsAdjoint) {
  for (const Geometry& geometry : test::kGeometries) {
    DepthRun run{geometry};
    const auto x = test::in_single(test::noise(estimate_extent(geometry), 5, -1, 1)),
               y = test::in_single(test::noise(geometry.field, 6, -1, 1));
    const auto hx = run.blur(x), hty = run.adjoint(y);
    EXPECT_LE(std::abs(product_of(hx, y) - product_of(x, hty)), 1e-6 * size_of(hx) * size_of(y));
  }
}

TEST(DepthConvolution, AddsUpWeightedPlanesOfEveryPsf) {
  for (const Geometry& geometry : test::kGeometries) {
    DepthRun run{geometry};
    const auto light = test::points_of_light(estimate_extent(geometry), 3);
    Volume<double> expected{geometry.field};
    for (int j = 0; j < kPsfs; ++j) {
      Volume<double> weighted = light;
      const std::vector<double>& weights = run.psfs()[static_cast<std::size_t>(j)].weights;
      const auto plane = static_cast<std::size_t>(light.extent.y * light.extent.x);
      for (std::size_t i = 0; i < weighted.voxels.size(); ++i)
        weighted.voxels[i] *= weights[i / plane];
      const auto kernel = test::weights(geometry.kernel, static_cast<std::uint64_t>(10 + j));
      const auto part = test::blurred(geometry, weighted, kernel);
      for (std::size_t i = 0; i < part.voxels.size(); ++i) expected.voxels[i] += part.voxels[i];
    }
    const auto in_single = test::in_single(expected);
    EXPECT_LE(synthoscope::test::largest_difference(run.blur(test::in_single(light)), in_single),
              2e-6 * synthoscope::test::largest_magnitude(in_single));
  }
}

TEST(SeenShare, OfAPsfThatVariesIsTheAdjointOfOnes) {
  for (const Geometry& geometry : test::kGeometries) {
    DepthRun run{geometry};
    const SeenShare share{geometry, run.psfs(), run.context()};
    const auto expected = run.adjoint(test::in_single(test::noise(geometry.field, 2, 1, 1)));
    test::expect_share(share, expected, run.context());
  }
}

/// Iterations with PSFs that vary, or with one.
class LucyRun {
 public:
  LucyRun(const Geometry& geometry, DepthRun& run, Volume<float> image,
          std::vector<WeightedPsf> depths)
      : image_{std::move(image)},
        estimate_{run.volume(estimate_extent(geometry))},
        residual_{run.volume(geometry.field)},
        last_{run.volume(estimate_extent(geometry))},
        copy_{run.volume(estimate_extent(geometry))},
        sum_{run.volume(estimate_extent(geometry))},
        lucy_{{geometry, run.psfs().front().kernel, 5, {}, {}, std::move(depths)},
              {source_},
              {estimate_, residual_, &last_, &copy_, &sum_},
              run.plans(),
              run.executor(),
              run.context()} {
    lucy_.begin();
  }
  double iterate() { return lucy_.iterate(); }
  Volume<float> light() { return read_all<float>(lucy_.result()); }

 private:
  Volume<float> image_;
  MemorySource source_{ConstVoxelView{std::as_const(image_).view()}};
  ScratchVolume estimate_, residual_, last_, copy_, sum_;
  RichardsonLucy lucy_;
};

TEST(RichardsonLucy, WithEqualPsfsOfAllDepthsIsThatOfOne) {
  for (const Geometry& geometry : test::kGeometries) {
    DepthRun run{geometry, true};
    const auto image =
        test::in_single(test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2),
                                      test::weights(geometry.kernel, 1)));
    LucyRun varying{geometry, run, image, run.psfs()}, one{geometry, run, image, {}};
    for (int i = 0; i < 4; ++i) {
      const double expected = one.iterate();
      EXPECT_NEAR(varying.iterate(), expected, 1e-5 * std::abs(expected));
    }
    EXPECT_LE(synthoscope::test::largest_difference(varying.light(), one.light()),
              1e-5 * synthoscope::test::largest_magnitude(one.light()));
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution
