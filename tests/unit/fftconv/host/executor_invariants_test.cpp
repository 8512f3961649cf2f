// SPDX-License-Identifier: MIT
// What every convolution obeys, whatever computes it: delta, shift, linearity, flux, and the terms
// of a request.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

using test::noise;
using test::run_convolution;
using test::WorkCase;

constexpr double tolerance_of(Precision precision) {
  return precision == Precision::float32 ? 1e-6 : 1e-14;
}

template <class A, class B>
double largest_difference(const Volume<A>& a, const Volume<B>& b) {
  EXPECT_EQ(a.extent, b.extent);
  long double largest = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<long double>(a.voxels[i]) -
                                         static_cast<long double>(b.voxels[i])));
  return static_cast<double>(largest);
}

double sum_of(const Volume<double>& v) {
  return std::accumulate(v.voxels.begin(), v.voxels.end(), 0.0);
}

/// Plans and runs `terms` that share `problem`.
Volume<double> run_terms(const Problem& problem, const std::vector<Term>& terms) {
  test::TestContext machine;
  test::CheckingSink<double> sink{output_extent(problem), BoxOrder::any};
  StoreAs store{PixelType::float64};
  const auto executor = make_host_executor(test::machine_with(machine.memory.limit()));
  executor->run(plan_convolution(problem, executor->machine()), terms, store, sink,
                machine.context);
  return sink.kept;
}

struct PairCase {
  const char* name;
  Extent3 image, kernel;
};

constexpr PairCase kPairCases[] = {
    {"cube", {11, 13, 17}, {4, 5, 6}},
    {"flat", {1, 45, 38}, {1, 6, 9}},
    {"line", {1, 1, 101}, {1, 1, 14}},
    {"kernel_larger", {3, 7, 5}, {6, 9, 8}},
};

class AnyPair : public testing::TestWithParam<std::tuple<PairCase, Precision>> {
 protected:
  AnyPair() : work_{noise(pair().image, 1), noise(pair().kernel, 2)} {
    work_.problem.precision = precision();
  }
  static const PairCase& pair() { return std::get<0>(GetParam()); }
  static Precision precision() { return std::get<1>(GetParam()); }
  [[nodiscard]] double allowed() const {
    return tolerance_of(precision()) *
           static_cast<double>(test::peak_of_absolutes(work_.image, work_.kernel, work_.problem));
  }
  WorkCase work_;
};

TEST_P(AnyPair, ADeltaAtTheCentreCopiesTheImage) {
  auto& p = work_.problem;
  for (const auto boundary : {Boundary::zero, Boundary::mirror, Boundary::wrap}) {
    p.boundary = boundary;
    std::fill(work_.kernel.voxels.begin(), work_.kernel.voxels.end(), 0.0);
    work_.kernel.view()(p.center.z, p.center.y, p.center.x) = 1;
    EXPECT_LE(largest_difference(run_convolution(work_.image, work_.kernel, p).result, work_.image),
              tolerance_of(precision()));
  }
}

TEST_P(AnyPair, ADeltaBesideTheCentreShiftsTheImage) {
  auto& p = work_.problem;
  p.boundary = Boundary::wrap;
  std::fill(work_.kernel.voxels.begin(), work_.kernel.voxels.end(), 0.0);
  work_.kernel.view()(0, 0, p.kernel.x - 1) = 1;
  const Extent3 e = p.image;
  const std::int64_t dz = -p.center.z, dy = -p.center.y, dx = p.kernel.x - 1 - p.center.x;
  const auto inside = [](std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; };
  Volume<double> expected{e};
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        expected.view()(inside(z + dz, e.z), inside(y + dy, e.y), inside(x + dx, e.x)) =
            work_.image.view()(z, y, x);
  EXPECT_LE(largest_difference(run_convolution(work_.image, work_.kernel, p).result, expected),
            tolerance_of(precision()));
}

TEST_P(AnyPair, SumsOfImagesGiveSumsOfResults) {
  const auto other = noise(work_.image.extent, 3);
  auto mixed = work_.image;
  for (std::size_t i = 0; i < mixed.voxels.size(); ++i)
    mixed.voxels[i] = 2 * mixed.voxels[i] - 3 * other.voxels[i];
  auto expected = run_convolution(work_.image, work_.kernel, work_.problem).result;
  const auto second = run_convolution(other, work_.kernel, work_.problem).result;
  for (std::size_t i = 0; i < expected.voxels.size(); ++i)
    expected.voxels[i] = 2 * expected.voxels[i] - 3 * second.voxels[i];
  EXPECT_LE(
      largest_difference(run_convolution(mixed, work_.kernel, work_.problem).result, expected),
      6 * allowed());
}

TEST_P(AnyPair, FullCommutes) {
  auto& p = work_.problem;
  p.shape = Shape::full;
  Problem swapped = p;
  std::swap(swapped.image, swapped.kernel);
  swapped.center = {};
  EXPECT_LE(largest_difference(run_convolution(work_.image, work_.kernel, p).result,
                               run_convolution(work_.kernel, work_.image, swapped).result),
            2 * allowed());
}

TEST_P(AnyPair, FullKeepsTheFlux) {
  work_.problem.shape = Shape::full;
  const double flux = sum_of(run_convolution(work_.image, work_.kernel, work_.problem).result);
  const double expected = sum_of(work_.image) * sum_of(work_.kernel);
  EXPECT_NEAR(flux, expected, tolerance_of(precision()) * expected);
}

TEST_P(AnyPair, CorrelationIsConvolutionWithTheMirroredKernel) {
  auto& p = work_.problem;
  for (const auto boundary : {Boundary::zero, Boundary::reflect}) {
    p.boundary = boundary;
    Problem correlation = p;
    correlation.correlate = true;
    correlation.center = {p.kernel.z - 1 - p.center.z, p.kernel.y - 1 - p.center.y,
                          p.kernel.x - 1 - p.center.x};
    auto mirrored = work_.kernel;
    std::reverse(mirrored.voxels.begin(), mirrored.voxels.end());
    EXPECT_LE(largest_difference(run_convolution(work_.image, mirrored, correlation).result,
                                 run_convolution(work_.image, work_.kernel, p).result),
              2 * allowed());
  }
}

TEST_P(AnyPair, ValidIsTheSameForEveryBoundary) {
  // The larger of the two is the image
  const bool swap = work_.kernel.extent.z > work_.image.extent.z;
  const auto& image = swap ? work_.kernel : work_.image;
  const auto& kernel = swap ? work_.image : work_.kernel;
  auto& p = work_.problem;
  p.image = image.extent;
  p.kernel = kernel.extent;
  p.center = {};
  p.shape = Shape::valid;
  const auto zero = run_convolution(image, kernel, p).result;
  for (const auto boundary :
       {Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap}) {
    p.boundary = boundary;
    EXPECT_LE(largest_difference(run_convolution(image, kernel, p).result, zero),
              2 * tolerance_of(precision()) *
                  static_cast<double>(test::peak_of_absolutes(image, kernel, p)));
  }
}

TEST_P(AnyPair, SeveralWeightedTermsAddUp) {
  auto& p = work_.problem;
  for (const auto boundary : {Boundary::zero, Boundary::nearest}) {
    p.boundary = boundary;
    const std::vector<Volume<double>> kernels{work_.kernel, noise(p.kernel, 4), noise(p.kernel, 5)};
    std::vector<MemorySource> sources;
    for (const auto& kernel : kernels) sources.emplace_back(kernel.view());
    Problem together = p;
    together.terms = 3;
    std::vector<Term> terms;
    Volume<double> expected{output_extent(p)};
    for (std::size_t t = 0; t < 3; ++t) {
      std::vector<double> weights;
      auto weighted = work_.image;
      for (std::int64_t z = 0; z < p.image.z; ++z) {
        weights.push_back(0.25 * static_cast<double>(t + 1) + 0.125 * static_cast<double>(z));
        const std::int64_t plane_size = p.image.y * p.image.x;
        for (std::int64_t i = 0; i < plane_size; ++i)
          weighted.voxels[static_cast<std::size_t>(z * plane_size + i)] *= weights.back();
      }
      // The middle term has no weights: 1 everywhere
      const auto part = run_convolution(t == 1 ? work_.image : weighted, kernels[t], p).result;
      for (std::size_t i = 0; i < part.voxels.size(); ++i) expected.voxels[i] += part.voxels[i];
      terms.push_back({&work_.image_source, {&sources[t], 0, 1}, {}});
      if (t != 1) terms.back().weight_z = weights;
    }
    EXPECT_LE(largest_difference(run_terms(together, terms), expected), 10 * allowed());
  }
}

TEST_P(AnyPair, KernelBackgroundAndScaleAreTakenWhileReading) {
  auto changed = work_.kernel;
  for (double& g : changed.voxels) g = 2.5 * (g - 0.25);
  work_.term.kernel = {&work_.kernel_source, 0.25, 2.5};
  const auto expected = test::direct_convolution(work_.image, changed, work_.problem);
  EXPECT_LE(largest_difference(run_terms(work_.problem, {work_.term}), expected),
            tolerance_of(precision()) *
                static_cast<double>(test::peak_of_absolutes(work_.image, changed, work_.problem)));
}

TEST_P(AnyPair, ALargeKernelBackgroundCostsNoAccuracy) {
  // A measured PSF of counts on an offset a thousand times its signal; the offset is no float32
  Volume<std::uint16_t> counts{work_.kernel.extent};
  constexpr double kBackground = 30000.3;
  auto changed = work_.kernel;
  for (std::size_t i = 0; i < counts.voxels.size(); ++i) {
    counts.voxels[i] = static_cast<std::uint16_t>(29985 + std::floor(31 * work_.kernel.voxels[i]));
    changed.voxels[i] = counts.voxels[i] - kBackground;
  }
  MemorySource source{counts.view()};
  work_.term.kernel = {&source, kBackground, 1};
  const auto expected = test::direct_convolution(work_.image, changed, work_.problem);
  EXPECT_LE(largest_difference(run_terms(work_.problem, {work_.term}), expected),
            tolerance_of(precision()) *
                static_cast<double>(test::peak_of_absolutes(work_.image, changed, work_.problem)));
}

TEST_P(AnyPair, EveryVoxelTypeGivesWhatItsValuesGive) {
  for (double& v : work_.image.voxels) v = std::floor(100 * v);
  for (double& g : work_.kernel.voxels) g = std::floor(50 * g);
  auto& p = work_.problem;
  for (const auto boundary : {Boundary::zero, Boundary::reflect}) {
    p.boundary = boundary;
    const auto expected = run_convolution(work_.image, work_.kernel, p).result;
    for (const auto type : {PixelType::int8, PixelType::uint8, PixelType::int16, PixelType::uint16,
                            PixelType::int32, PixelType::uint32, PixelType::float32})
      EXPECT_EQ(run_convolution(work_.image, work_.kernel, p, 2, type).result.voxels,
                expected.voxels)
          << name_of(type);
  }
}

const auto kPairName = [](const auto& row) {
  return std::string{std::get<0>(row.param).name} + "_" +
         std::string{name_of(std::get<1>(row.param))};
};
INSTANTIATE_TEST_SUITE_P(Table, AnyPair,
                         testing::Combine(testing::ValuesIn(kPairCases),
                                          testing::Values(Precision::float32, Precision::float64)),
                         kPairName);

/// A sharpening kernel: voxels sum to zero.
Volume<double> laplacian(const Extent3& extent) {
  auto kernel = noise(extent, 6, -1, 1);
  for (double& g : kernel.voxels) g = std::round(64 * g);
  kernel.voxels[kernel.voxels.size() / 2] -= sum_of(kernel);
  return kernel;
}

struct CancelCase {
  const char* name;
  Extent3 image, kernel;
  Boundary boundary;
};

constexpr CancelCase kCancelCases[] = {
    {"zero", {17, 40, 41}, {3, 5, 5}, Boundary::zero},
    {"reflect", {17, 40, 41}, {3, 5, 5}, Boundary::reflect},
    {"wrap_even", {12, 30, 31}, {4, 4, 6}, Boundary::wrap},
    {"flat_zero", {1, 120, 121}, {1, 5, 7}, Boundary::zero},
    {"flat_mirror", {1, 120, 121}, {1, 5, 7}, Boundary::mirror},
};

class ZeroSumKernel : public testing::TestWithParam<CancelCase> {
 protected:
  /// sqrt(sum of squared errors) over sqrt(sum of squares), where the whole kernel lies inside.
  static double relative_l2(const Volume<double>& found, const Volume<long double>& expected) {
    long double error = 0, size = 0;
    for (std::size_t i = 0; i < found.voxels.size(); ++i) {
      error += std::pow(static_cast<long double>(found.voxels[i]) - expected.voxels[i], 2);
      size += std::pow(expected.voxels[i], 2);
    }
    return static_cast<double>(std::sqrt(error / size));
  }
};

TEST_P(ZeroSumKernel, IsAccurateOnceTheMeanIsTakenOut) {
  const auto& c = GetParam();
  // Mean over sigma is a thousand
  WorkCase work{noise(c.image, 7, 1000 - std::sqrt(3.0), 1000 + std::sqrt(3.0)),
                laplacian(c.kernel)};
  for (double& v : work.image.voxels) v = static_cast<float>(v);
  work.problem.boundary = c.boundary;
  const auto expected = test::direct_convolution(work.image, work.kernel, work.problem);
  const auto plain = run_convolution(work.image, work.kernel, work.problem).result;
  work.problem.remove_mean = true;
  const auto removed = run_convolution(work.image, work.kernel, work.problem).result;
  EXPECT_LE(relative_l2(removed, expected), 1e-5);
  EXPECT_LT(relative_l2(removed, expected), relative_l2(plain, expected));
}

TEST_P(ZeroSumKernel, IsAccurateInsideWhereTheResultIsSmall) {
  // At the faces of boundary zero the response to the mean is large and hides the rest: look inside
  const auto& c = GetParam();
  WorkCase work{noise(c.image, 7, 1000 - std::sqrt(3.0), 1000 + std::sqrt(3.0)),
                laplacian(c.kernel)};
  for (double& v : work.image.voxels) v = static_cast<float>(v);
  work.problem.boundary = c.boundary;
  work.problem.shape = Shape::valid;
  const auto expected = test::direct_convolution(work.image, work.kernel, work.problem);
  const auto plain = run_convolution(work.image, work.kernel, work.problem).result;
  work.problem.remove_mean = true;
  const auto removed = run_convolution(work.image, work.kernel, work.problem).result;
  EXPECT_LE(relative_l2(removed, expected), 1e-5);
  EXPECT_GT(relative_l2(plain, expected), 1e-5) << "the case is no test of the mean";
}

TEST_P(ZeroSumKernel, TakingTheMeanOutChangesNothingButRounding) {
  const auto& c = GetParam();
  for (const bool correlate : {false, true})
    for (const auto shape : {Shape::same, Shape::full, Shape::valid}) {
      if (shape == Shape::full && c.boundary != Boundary::zero) continue;
      WorkCase work{noise(c.image, 8, 5, 7), noise(c.kernel, 9, -1, 1)};
      work.problem.boundary = c.boundary;
      work.problem.shape = shape;
      work.problem.correlate = correlate;
      work.problem.precision = Precision::float64;
      work.problem.remove_mean = true;
      const auto expected = test::direct_convolution(work.image, work.kernel, work.problem);
      EXPECT_LE(largest_difference(run_convolution(work.image, work.kernel, work.problem).result,
                                   expected),
                1e-14 * static_cast<double>(
                            test::peak_of_absolutes(work.image, work.kernel, work.problem)))
          << name_of(shape) << " " << correlate;
    }
}

INSTANTIATE_TEST_SUITE_P(Table, ZeroSumKernel, testing::ValuesIn(kCancelCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
