// SPDX-License-Identifier: MIT
#include "deconvolution/filters/fourier_volume.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include "core/stream/memory_stream.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::deconvolution {
namespace {

using Complex = std::complex<double>;

constexpr Extent3 kTransformed[] = {{1, 1, 1}, {1, 1, 7}, {1, 6, 10},
                                    {5, 1, 4}, {4, 9, 3}, {2, 21, 16}};

/// Fills a volume with numbers, and returns them.
std::vector<Complex> fill_with_noise(FourierVolume& volume_) {
  const Extent3 e = volume_.extent();
  const auto re = synthoscope::test::noise(e, 1, -1, 1), im = test::noise(e, 2, -1, 1);
  std::vector<Complex> all;
  for (std::int64_t i = 0; i < volume(e); ++i) {
    all.emplace_back(re.voxels[static_cast<std::size_t>(i)],
                     im.voxels[static_cast<std::size_t>(i)]);
    volume_.row(0, 0)[i] = all.back();
  }
  return all;
}

TEST(FourierVolume, IsTheSumOfWaves) {
  for (const Extent3& e : kTransformed) {
    SCOPED_TRACE(fmt::format("{}", e));
    synthoscope::test::TestContext run;
    FourierVolume spectrum{e, run.context};
    const std::vector<Complex> in = fill_with_noise(spectrum);
    spectrum.forward();
    const Index3 asked[] = {{0, 0, 0}, {e.z - 1, e.y / 2, e.x / 3}, {e.z / 2, e.y - 1, e.x - 1}};
    for (const Index3& k : asked) {
      Complex expected;
      std::size_t i = 0;
      for (std::int64_t z = 0; z < e.z; ++z)
        for (std::int64_t y = 0; y < e.y; ++y)
          for (std::int64_t x = 0; x < e.x; ++x) {
            const auto turns = [](std::int64_t at, std::int64_t n) {
              return static_cast<double>(at % n) / static_cast<double>(n);
            };
            expected += in[i++] * std::polar(1.0, -2 * std::numbers::pi *
                                                      (turns(z * k.z, e.z) + turns(y * k.y, e.y) +
                                                       turns(x * k.x, e.x)));
          }
      EXPECT_LT(std::abs(spectrum.row(k.z, k.y)[k.x] - expected), 1e-11);
    }
  }
}

TEST(FourierVolume, ComesBack) {
  for (const Extent3& e : kTransformed) {
    synthoscope::test::TestContext run;
    FourierVolume there{e, run.context};
    const std::vector<Complex> in = fill_with_noise(there);
    there.forward();
    there.inverse();
    for (std::int64_t i = 0; i < volume(e); ++i)
      EXPECT_LT(std::abs(there.row(0, 0)[i] - in[static_cast<std::size_t>(i)]), 1e-13);
  }
}

TEST(FourierVolume, HasTheSameBitsWithOtherThreads) {
  const Extent3 e{6, 10, 14};
  synthoscope::test::TestContext one{1}, three{3};
  FourierVolume a{e, one.context}, b{e, three.context};
  fill_with_noise(a);
  fill_with_noise(b);
  a.forward();
  b.forward();
  EXPECT_TRUE(std::equal(a.row(0, 0), a.row(0, 0) + volume(e), b.row(0, 0)));
}

TEST(FourierVolume, FoldsALargerKernel) {
  Volume<double> kernel{{1, 1, 5}};
  kernel.voxels = {1, 2, 3, 4, 5};
  MemorySource source{ConstVoxelView{std::as_const(kernel).view()}};
  synthoscope::test::TestContext run;
  FourierVolume folded{{1, 1, 4}, run.context};
  folded.add_kernel({&source, 1, 10}, {0, 0, 1});
  const double expected[] = {10, 20, 30, 0 + 40};  // 10 (weight - 1), the centre first
  for (int i = 0; i < 4; ++i) EXPECT_EQ(folded.row(0, 0)[i].real(), expected[i]) << i;
}

TEST(FourierVolume, KnowsLengthsOfTransforms) {
  EXPECT_EQ(transform_length_from(1), 1);
  EXPECT_EQ(transform_length_from(11), 12);
  EXPECT_EQ(transform_length_up_to(11), 10);
  EXPECT_EQ(transform_length_up_to(128), 128);
}

}  // namespace
}  // namespace synthoscope::deconvolution
