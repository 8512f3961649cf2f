// SPDX-License-Identifier: MIT
// Iterations in single precision stay close to their formula in double precision, and strategies
// to each other.
#include <gtest/gtest.h>
#include "tests/support/difference.hpp"
#include "tests/unit/deconvolution/run_in_memory.hpp"

namespace synthoscope::deconvolution {
namespace {

using fftconv::Strategy;
using synthoscope::test::largest_difference;
using synthoscope::test::largest_magnitude;
using test::RunInMemory;
using test::Steps;

/// Expects estimates to agree after so many iterations, also beyond the field, where H^T 1 is
/// small.
template <class Real>
void expect_close(const Geometry& geometry, const Volume<float>& estimate,
                  const Volume<Real>& expected, int iterations) {
  const double brightest = largest_magnitude(expected);
  EXPECT_LE(largest_difference(estimate, expected), 1e-5 * brightest) << iterations;
  if (iterations > 1) return;
  EXPECT_LE(
      largest_difference(test::field_of(geometry, estimate), test::field_of(geometry, expected)),
      2e-6 * brightest)
      << iterations;
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
    const double most = largest_magnitude(shares_);
    double seen = 0, light = 0;
    for (double& share : shares_.voxels) {
      if (share <= 1e-3 * most) share = 0;
      seen += share;
    }
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

TEST(Rounding, HardlyChangesTheFormula) {
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
          expect_close(geometry, run.estimate(), formula.estimate(), i + 1);
        }
      }
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
      expect_close(geometry, in_core.estimate(), other.estimate(), i + 1);
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

}  // namespace
}  // namespace synthoscope::deconvolution
