// SPDX-License-Identifier: MIT
#include "fftconv/certify/certify.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include "core/base/error.hpp"
#include "core/stream/store_as.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

/// Counts up to 200 blurred by a kernel whose sum is about one.
struct Blur : test::WorkCase {
  Blur() : WorkCase{test::noise({9, 14, 15}, 1, 0, 200), test::noise({3, 4, 5}, 2, 0, 1 / 30.0)} {
    for (double& v : image.voxels) v = std::floor(v);
  }
  [[nodiscard]] Volume<double> result() const {
    return test::run_convolution(image, kernel, problem).result;
  }
};

template <class T>
Volume<T> stored_as(const Volume<double>& result) {
  Volume<T> stored{result.extent};
  StoreAs store{pixel_type_of<T>()};
  store.apply(whole(result.extent), result.view(), VoxelView{stored.view()});
  return stored;
}

template <class T>
Certificate certificate_of(const Blur& blur, const Volume<T>& result, std::int64_t count,
                           std::uint64_t seed = 1, int threads = 2) {
  test::TestContext machine{threads};
  MemorySource source{result.view()};
  return certify(blur.problem, blur.term, source, count, seed, machine.context);
}

TEST(Certify, HoldsForRightResultsInEveryPrecisionShapeBoundaryAndType) {
  for (const auto precision : {Precision::float32, Precision::float64})
    for (const auto boundary :
         {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
      for (const auto shape : {Shape::same, Shape::full, Shape::valid})
        for (const bool correlate : {false, true}) {
          if (shape == Shape::full && boundary != Boundary::zero) continue;
          Blur blur;
          blur.problem.precision = precision;
          blur.problem.boundary = boundary;
          blur.problem.shape = shape;
          blur.problem.correlate = correlate;
          // Half of the cases make a part of the result
          if (correlate)
            blur.problem.part = test::part_of(output_extent(blur.problem), test::Wanted::some);
          const auto result = blur.result();
          for (const auto type :
               {PixelType::int8, PixelType::uint8, PixelType::int16, PixelType::uint16,
                PixelType::int32, PixelType::uint32, PixelType::float32, PixelType::float64})
            visit_pixel_type(type, [&](auto zero) {
              const auto c = certificate_of(blur, stored_as<decltype(zero)>(result), 40);
              EXPECT_TRUE(c.holds()) << name_of(type) << " error " << c.largest_error << " of "
                                     << c.tolerance << " at " << c.worst;
              EXPECT_GT(c.voxels, 20) << "half anywhere, and some that are bright";
            });
        }
}

TEST(Certify, HoldsErrorsAgainstThePeakOfTheAbsoluteSums) {
  Blur blur;
  blur.problem.precision = Precision::float64;
  const auto result = blur.result();
  const auto c = certificate_of(blur, result, 2 * volume(result.extent));
  EXPECT_NEAR(c.peak, *std::max_element(result.voxels.begin(), result.voxels.end()), 1e-10);
  EXPECT_DOUBLE_EQ(c.tolerance, 1e-14 * c.peak);
  EXPECT_DOUBLE_EQ(certificate_of(blur, stored_as<std::uint16_t>(result), 40).tolerance,
                   1e-14 * certificate_of(blur, result, 40).peak + 0.5);
}

TEST(Certify, FailsWhenABrightVoxelIsOffAndSaysWhere) {
  for (const auto precision : {Precision::float32, Precision::float64}) {
    Blur blur;
    blur.problem.precision = precision;
    auto result = blur.result();
    // 1 % of the voxels are 19, and all of them are among the 100 that are chosen for brightness
    const auto brightest = std::max_element(result.voxels.begin(), result.voxels.end());
    const std::int64_t index = brightest - result.voxels.begin();
    const double right = *brightest;
    *brightest = right * (precision == Precision::float32 ? 1 + 4e-6 : 1 + 4e-14);
    const auto c = certificate_of(blur, result, 200);
    EXPECT_FALSE(c.holds());
    EXPECT_EQ(c.worst, (Index3{index / 210, index / 15 % 14, index % 15}));
    EXPECT_EQ(c.stored, *brightest);
    EXPECT_NEAR(c.recomputed, right, 1e-6 * right);
    EXPECT_NEAR(c.largest_error, std::abs(c.stored - c.recomputed), 1e-12);
  }
}

TEST(Certify, FailsWhenACountIsOffByOne) {
  Blur blur;
  auto result = stored_as<std::uint16_t>(blur.result());
  ++*std::max_element(result.voxels.begin(), result.voxels.end());
  EXPECT_FALSE(certificate_of(blur, result, 200).holds());
}

TEST(Certify, FailsWhenANanIsStored) {
  Blur blur;
  auto result = stored_as<float>(blur.result());
  result.view()(4, 5, 6) = std::numeric_limits<float>::quiet_NaN();
  const auto c = certificate_of(blur, result, 2 * volume(result.extent));
  EXPECT_FALSE(c.holds());
  EXPECT_EQ(c.worst, (Index3{4, 5, 6}));
}

TEST(Certify, FailsWhenEverythingIsShiftedByOneVoxel) {
  Blur blur;
  const auto right = blur.result();
  auto shifted = right;
  std::rotate(shifted.voxels.begin(), shifted.voxels.begin() + 1, shifted.voxels.end());
  EXPECT_TRUE(certificate_of(blur, right, 10).holds());
  EXPECT_FALSE(certificate_of(blur, shifted, 10).holds());
}

TEST(Certify, CountsBackgroundScaleAndWeightsOfTheTerm) {
  Blur blur;
  blur.term.kernel = {&blur.kernel_source, 0.01, 3};
  blur.term.weight_z = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  auto weighted = blur.image, kernel = blur.kernel;
  for (std::size_t i = 0; i < weighted.voxels.size(); ++i)
    weighted.voxels[i] *= static_cast<double>(1 + i / 210);
  for (double& g : kernel.voxels) g = 3 * (g - 0.01);
  const auto result = test::run_convolution(weighted, kernel, blur.problem).result;
  EXPECT_TRUE(certificate_of(blur, result, 100).holds());
  blur.term.weight_z = {};
  EXPECT_FALSE(certificate_of(blur, result, 100).holds());
}

/// Remembers which single voxels and planes were read of the image.
class WatchedSource final : public Source {
 public:
  explicit WatchedSource(Source& source) : source_{source} {}
  [[nodiscard]] Extent3 extent() const override { return source_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return source_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override {
    {
      const std::scoped_lock lock{mutex_};
      const auto& o = box.origin;
      boxes.insert({o.z, o.y, o.x, box.size.y, box.size.x});
    }
    source_.read(box, out);
  }
  std::multiset<std::vector<std::int64_t>> boxes;

 private:
  Source& source_;
  std::mutex mutex_;
};

TEST(Certify, ChoosesTheSameVoxelsForTheSameSeedWhateverTheThreads) {
  Blur blur;
  const auto result = blur.result();
  const auto read_with = [&](std::uint64_t seed, int threads) {
    WatchedSource watched{blur.image_source};
    Term term = blur.term;
    term.image = &watched;
    test::TestContext machine{threads};
    MemorySource source{result.view()};
    const auto c = certify(blur.problem, term, source, 30, seed, machine.context);
    return std::tuple{watched.boxes, c.largest_error, c.worst, c.peak, c.stored, c.recomputed};
  };
  const auto once = read_with(5, 1);
  EXPECT_EQ(read_with(5, 1), once);
  EXPECT_EQ(read_with(5, 2), once);
  EXPECT_EQ(read_with(5, 7), once);
  EXPECT_NE(std::get<0>(read_with(6, 1)), std::get<0>(once));
}

TEST(Certify, HoldsNoMoreThanItSaysAndReadsNoMoreAtOnceThanTheKernelHas) {
  for (const auto boundary : {Boundary::zero, Boundary::reflect, Boundary::wrap}) {
    Blur blur;
    blur.problem.boundary = boundary;
    const auto result = blur.result();
    MemorySource source{result.view()};
    WatchedSource watched{blur.image_source};
    Term term = blur.term;
    term.image = &watched;
    const std::int64_t bytes = certify_bytes(blur.problem, 60, 2);
    test::TestContext enough{2, bytes}, less{2, bytes - 1};
    EXPECT_TRUE(certify(blur.problem, term, source, 60, 1, enough.context).holds());
    EXPECT_EQ(enough.memory.peak(), bytes);
    for (const auto& box : watched.boxes) EXPECT_LE(box[3] * box[4], 4 * 5) << name_of(boundary);
    EXPECT_THROW(certify(blur.problem, term, source, 60, 1, less.context), PlanError);
  }
}

TEST(Certify, RefusesOtherExtentsAndFewerThanOneVoxel) {
  Blur blur;
  const Volume<float> other{{9, 14, 16}}, same{{9, 14, 15}};
  const auto message = [&](const Volume<float>& result, std::int64_t count) -> std::string {
    try {
      (void)certificate_of(blur, result, count);
    } catch (const InvalidSpec& failure) {
      return failure.what();
    }
    return "it was accepted";
  };
  EXPECT_EQ(message(other, 10),
            "certify 10 voxels of a result of 9x14x16: give at least 1, and the result of this "
            "request, which has 9x14x15");
  EXPECT_EQ(message(same, 0),
            "certify 0 voxels of a result of 9x14x15: give at least 1, and the result of this "
            "request, which has 9x14x15");
}

TEST(Certify, StopsWhileItReadsTheResultToChooseVoxels) {
  Blur blur;
  const auto result = blur.result();
  test::TestContext machine;
  MemorySource source{result.view()};
  test::StoppingSource stopping{source, machine.stop, 3};
  EXPECT_THROW(certify(blur.problem, blur.term, stopping, 10, 1, machine.context), Interrupted);
  EXPECT_EQ(stopping.reads(), 3);
}

TEST(Certify, StopsWhenAskedTo) {
  Blur blur;
  const auto result = blur.result();
  test::TestContext machine;
  machine.stop.request();
  MemorySource source{result.view()};
  EXPECT_THROW(certify(blur.problem, blur.term, source, 10, 1, machine.context), Interrupted);
}

}  // namespace
}  // namespace synthoscope::fftconv
