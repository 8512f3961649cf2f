// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/total_variation.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "deconvolution/iteration/richardson_lucy.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"
#include "tests/unit/deconvolution/gaussian_psf.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr VariationSpec kAnisotropic{0.02, {0.3, 0.1, 0.1}};

/// V and its derivatives by the formula, voxel by voxel.
class ByFormula {
 public:
  /// @param light  below 0 where a voxel takes no part
  ByFormula(const Volume<double>& light, const VariationSpec& spec, Edge edge, double typical)
      : light_{light}, spec_{spec}, edge_{edge}, flat_{TotalVariation::kFlat * typical} {}

  [[nodiscard]] double total() const {
    double sum = 0;
    for_all([&](const Index3& at) { sum += light_.view()(at.z, at.y, at.x) < 0 ? 0 : length(at); });
    return sum;
  }

  /// The derivative of -V by the light of a voxel, by moving it.
  [[nodiscard]] double slope(const Index3& at) {
    double& voxel = light_.view()(at.z, at.y, at.x);
    const double before = voxel, move = 1e-6 * flat_;
    voxel = before + move;
    const double above = total();
    voxel = before - move;
    const double below = total();
    voxel = before;
    return (below - above) / (2 * move);
  }

 private:
  template <class Body>
  void for_all(Body&& body) const {
    const Extent3 e = light_.extent;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y)
        for (std::int64_t x = 0; x < e.x; ++x) body(Index3{z, y, x});
  }

  [[nodiscard]] double length(const Index3& at) const {
    const double z = difference(at, {1, 0, 0}) / spec_.pitch[0],
                 y = difference(at, {0, 1, 0}) / spec_.pitch[1],
                 x = difference(at, {0, 0, 1}) / spec_.pitch[2];
    const double unit = spec_.pitch[2];
    return std::sqrt(unit * unit * (z * z + y * y + x * x) + flat_ * flat_);
  }

  [[nodiscard]] double difference(const Index3& at, const Index3& by) const {
    const Extent3 e = light_.extent;
    Index3 next{at.z + by.z, at.y + by.y, at.x + by.x};
    if (edge_ == Edge::wrap) next = {next.z % e.z, next.y % e.y, next.x % e.x};
    if (next.z == e.z || next.y == e.y || next.x == e.x) return 0;
    const double here = light_.view()(at.z, at.y, at.x),
                 there = light_.view()(next.z, next.y, next.x);
    return here < 0 || there < 0 ? 0 : there - here;
  }

  Volume<double> light_;
  VariationSpec spec_;
  Edge edge_;
  double flat_;
};

/// A penalty of an estimate, and what it needs.
struct Penalty {
  Penalty(const Geometry& geometry, const Volume<float>& light, const VariationSpec& spec,
          double typical)
      : kernel{test::weights(geometry.kernel, 1)},
        share{geometry, {&kernel_source, 0, 1}, test.context},
        estimate{ConstVoxelView{light.view()}},
        variation{spec, estimate, share, geometry.edge, typical} {}

  synthoscope::test::TestContext test;
  Volume<double> kernel;
  MemorySource kernel_source{ConstVoxelView{std::as_const(kernel).view()}};
  SeenShare share;
  MemorySource estimate;
  TotalVariation variation;
};

TEST(TotalVariation, HasTheSlopeOfItsFormula) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto light = test::in_single(test::points_of_light(estimate_extent(geometry), 3));
    Penalty penalty{geometry, light, kAnisotropic, 50};
    const Extent3 e = light.extent;
    Volume<double> taking_part{e};
    std::vector<float> shares(static_cast<std::size_t>(e.x));
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y) {
        penalty.share.fill_row(z, y, 0, shares);
        for (std::int64_t x = 0; x < e.x; ++x)
          taking_part.view()(z, y, x) = shares[static_cast<std::size_t>(x)] > 0
                                            ? static_cast<double>(light.view()(z, y, x))
                                            : -1;
      }
    ByFormula formula{taking_part, kAnisotropic, geometry.edge, 50};
    // In boxes that begin and end within rows, as executors may pass them
    TotalVariation::Rows rows{penalty.variation};
    const std::int64_t first = e.x / 3, count = e.x - e.x / 2;
    std::vector<float> slopes(static_cast<std::size_t>(count)), bends = slopes;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; y += z % 2 + 1) {
        rows.fill(z, y, first, slopes, bends);
        for (std::int64_t x = first; x < first + count; x += 3) {
          if (taking_part.view()(z, y, x) < 0) continue;
          const double expected =
              kAnisotropic.weight * penalty.share.whole() * formula.slope({z, y, x});
          EXPECT_NEAR(slopes[static_cast<std::size_t>(x - first)], expected, 1e-5)
              << z << ' ' << y << ' ' << x;
        }
      }
  }
}

/// Root of the equation, and Dey's formula, which it is without a bend.
TEST(NextLight, SolvesItsEquation) {
  struct Case {
    double light, residuals, share, slope, bend;
  };
  for (const Case& c :
       {Case{5, 0.2, 1, 0.1, 0}, Case{5, 0.2, 1, 0.1, 0.02}, Case{5, -0.3, 1, 3, 4},
        Case{1e-6, 1.999, 1e-3, -0.4, 7}, Case{100, -1, 1, 0.5, 1e3}, Case{3, 0, 1, 0, 1e6}}) {
    const double next = next_light(c.light, c.residuals, c.share, c.slope, c.bend);
    const double whole = c.share + c.residuals, linear = c.share - c.slope - c.bend * c.light;
    const double size = c.bend * next * next + std::abs(linear) * next;
    EXPECT_GT(next, 0);
    EXPECT_NEAR(c.bend * next * next + linear * next, c.light * whole, 1e-12 * size);
    if (c.bend == 0) {
      EXPECT_DOUBLE_EQ(next, c.light * whole / (c.share - c.slope));
    }
  }
  // Rounding may leave slightly less than nothing of the light
  EXPECT_EQ(next_light(5, -1.0000001, 1, 0.5, 0.02), next_light(5, -1, 1, 0.5, 0.02));
}

/// A run with a penalty.
class SmoothRun {
 public:
  SmoothRun(const Geometry& geometry, const Volume<float>& image, const Volume<double>& kernel,
            double background, std::optional<VariationSpec> variation, bool has_momentum = false,
            fftconv::Strategy strategy = fftconv::Strategy::automatic)
      : image_{image},
        kernel_{kernel},
        estimate_{estimate_extent(geometry), PixelType::float32, test_.memory, "estimate"},
        residual_{geometry.field, PixelType::float32, test_.memory, "residual"},
        last_{estimate_extent(geometry), PixelType::float32, test_.memory, "last estimate"},
        copy_{estimate_extent(geometry), PixelType::float32, test_.memory, "copy"},
        lucy_{{geometry, {&kernel_source_, 0, 1}, background, {}, variation},
              {image_source_},
              {estimate_, residual_, has_momentum ? &last_ : nullptr, &copy_},
              plan_steps(geometry, executor_->machine(), strategy),
              *executor_,
              test_.context} {
    lucy_.begin();
  }

  RichardsonLucy& lucy() { return lucy_; }
  Volume<float> light() { return read_all<float>(lucy_.result()); }

 private:
  synthoscope::test::TestContext test_;
  Volume<float> image_;
  Volume<double> kernel_;
  MemorySource image_source_{ConstVoxelView{std::as_const(image_).view()}};
  MemorySource kernel_source_{ConstVoxelView{std::as_const(kernel_).view()}};
  std::unique_ptr<fftconv::Executor> executor_ =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  ScratchVolume estimate_, residual_, last_, copy_;
  RichardsonLucy lucy_;
};

Volume<float> with_noise(const Volume<double>& blurred, double background) {
  const auto errors = test::noise(blurred.extent, 3, -1.7, 1.7);
  Volume<float> image{blurred.extent};
  for (std::size_t i = 0; i < image.voxels.size(); ++i) {
    const double expected = blurred.voxels[i] + background;
    image.voxels[i] =
        static_cast<float>(std::max(expected + std::sqrt(expected) * errors.voxels[i], 0.0));
  }
  return image;
}

/// ImageLight::typical of an image.
double typical_of(const Volume<float>& image, double background) {
  double sum = 0, squares = 0;
  for (const float voxel : image.voxels) {
    const double light = std::max(static_cast<double>(voxel) - background, 0.0);
    sum += light;
    squares += light * light;
  }
  return squares / sum;
}

TEST(RichardsonLucyWithVariation, NeverLowersLikelihoodLessPenalty) {
  constexpr double kBackground = 5;
  for (const double weight : {0.003, 0.03, 0.5})
    for (const Edge edge : {Edge::extend, Edge::wrap}) {
      const Geometry geometry{{6, 18, 20}, {3, 5, 5}, {1, 2, 2}, edge};
      const VariationSpec spec{weight, kAnisotropic.pitch};
      const auto kernel = test::weights(geometry.kernel, 1);
      const auto image = with_noise(
          test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel),
          kBackground);
      SmoothRun run{geometry, image, kernel, kBackground, spec};
      double before = -1e300;
      for (int i = 0; i < 25; ++i) {
        auto light = run.light();
        Volume<double> taking_part{light.extent};
        for (std::size_t v = 0; v < light.voxels.size(); ++v)
          taking_part.voxels[v] = light.voxels[v] > 0 ? static_cast<double>(light.voxels[v]) : -1;
        const ByFormula formula{taking_part, spec, edge, typical_of(image, kBackground)};
        const double now = run.lucy().iterate() - weight * formula.total();
        EXPECT_GE(now, before - 1e-6 * std::abs(before)) << weight << ' ' << i;
        before = now;
      }
    }
}

TEST(RichardsonLucyWithVariation, LeavesEvenLightAsItIs) {
  const Geometry geometry{{6, 12, 14}, {3, 5, 5}, {1, 2, 2}, Edge::wrap};
  SmoothRun run{geometry, test::in_single(test::noise(geometry.field, 1, 80, 80)),
                test::weights(geometry.kernel, 1), 0, VariationSpec{0.1, {3, 1, 1}}};
  for (int i = 0; i < 5; ++i) run.lucy().iterate();
  for (const float voxel : run.light().voxels) EXPECT_NEAR(voxel, 80, 1e-3);
}

/// Two bright bodies on a dim ground.
Volume<double> bodies(const Extent3& extent) {
  Volume<double> light{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const bool in_first = std::hypot(y - 14, x - 14) < 7 && z > 2 && z < extent.z - 3;
        const bool in_second = std::hypot(y - 26, x - 30) < 6 && z > 3;
        light.view()(z, y, x) = in_first ? 60 : in_second ? 30 : 2;
      }
  return light;
}

double error_of(const Volume<float>& light, const Volume<double>& truth) {
  double error = 0, all = 0;
  for (std::size_t i = 0; i < light.voxels.size(); ++i) {
    const double off = static_cast<double>(light.voxels[i]) - truth.voxels[i];
    error += off * off;
    all += truth.voxels[i] * truth.voxels[i];
  }
  return std::sqrt(error / all);
}

TEST(RichardsonLucyWithVariation, ComesNearerToTheLightOfANoisyImage) {
  const Geometry geometry{{12, 40, 44}, {5, 9, 9}, {2, 4, 4}, Edge::wrap};
  const auto kernel = test::gaussian_psf(geometry.kernel, 1.7);
  const auto truth = bodies(geometry.field);
  const auto image = with_noise(test::blurred(geometry, truth, kernel), 5);
  const VariationSpec spec{0.01, {3, 1, 1}};
  for (const bool has_momentum : {false, true}) {
    SmoothRun plain{geometry, image, kernel, 5, {}, has_momentum},
        smooth{geometry, image, kernel, 5, spec, has_momentum};
    for (int i = 0; i < (has_momentum ? 20 : 60); ++i) {
      plain.lucy().iterate();
      smooth.lucy().iterate();
    }
    EXPECT_LT(error_of(smooth.light(), truth), 0.8 * error_of(plain.light(), truth));
  }
}

TEST(RichardsonLucyWithVariation, GivesTheSameLightByEveryStrategy) {
  const Geometry geometry{{14, 20, 26}, {5, 5, 6}, {2, 2, 1}};
  const auto kernel = test::weights(geometry.kernel, 1);
  const auto image = test::in_single(
      test::blurred(geometry, test::points_of_light(estimate_extent(geometry), 2), kernel));
  const VariationSpec spec{0.02, {2, 1, 1}};
  using fftconv::Strategy;
  SmoothRun in_core{geometry, image, kernel, 10, spec, true, Strategy::in_core};
  for (int i = 0; i < 8; ++i) in_core.lucy().iterate();
  const auto expected = in_core.light();
  const float most = *std::max_element(expected.voxels.begin(), expected.voxels.end());
  for (const Strategy strategy : {Strategy::ring, Strategy::tiles, Strategy::parts}) {
    SmoothRun other{geometry, image, kernel, 10, spec, true, strategy};
    for (int i = 0; i < 8; ++i) other.lucy().iterate();
    const auto got = other.light();
    for (std::size_t i = 0; i < got.voxels.size(); ++i)
      ASSERT_NEAR(got.voxels[i], expected.voxels[i], 1e-5 * static_cast<double>(most));
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution
