// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/decimation.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include <vector>
#include "core/math/random.hpp"

namespace synthoscope::fftconv {
namespace {

TEST(Decimation, FoldsPositionsOfAnySignIntoThePlanesOfAPart) {
  const Decimation d{.parts = 3, .planes = 5};
  EXPECT_EQ(d.slabs(), 6);
  EXPECT_EQ(d.length(), 30);
  for (const auto& [z, plane] : {std::pair{0, 0}, {4, 4}, {5, 0}, {29, 4}, {-1, 4}, {-5, 0}})
    EXPECT_EQ(d.plane_of(z), plane) << z;
}

TEST(Decimation, RotatesByHalfIntegerFrequencies) {
  const Decimation d{.parts = 4, .planes = 7};
  for (std::int64_t part = 0; part < d.parts; ++part)
    for (const std::int64_t z : {0, 1, 13, 55, -3}) {
      const double angle = 2 * std::numbers::pi * (static_cast<double>(part) + 0.5) *
                           static_cast<double>(z) / static_cast<double>(d.length());
      EXPECT_NEAR(std::abs(rotation(d, part, z) - std::polar(1.0, -angle)), 0, 1e-14);
      EXPECT_NEAR(std::abs(rotation(d, part, z + d.length()) + rotation(d, part, z)), 0, 1e-14)
          << "what wraps changes its sign";
    }
  // Far out, where an angle in floating point has lost its fraction of a turn
  const Decimation large{.parts = 1, .planes = std::int64_t{1} << 30};
  EXPECT_NEAR(std::abs(rotation(large, 0, (std::int64_t{1} << 40) + 1) -
                       rotation(large, 0, (std::int64_t{1} << 40) % (2 * large.length()) + 1)),
              0, 1e-15);
}

TEST(Decimation, UnfoldsWhatWasFolded) {
  const Decimation d{.parts = 5, .planes = 6};
  const RandomStream random{1, RandomStage::phantom};
  std::vector<double> f;
  for (std::int64_t z = 0; z < d.length(); ++z)
    f.push_back(uniform32(random.block(static_cast<std::uint64_t>(z))[0]));
  for (std::int64_t v = 0; v < d.length(); ++v) {
    double sum = 0;
    for (std::int64_t part = 0; part < d.parts; ++part) {
      std::complex<double> folded = 0;
      for (std::int64_t z = d.plane_of(v); z < d.length(); z += d.planes)
        folded += rotation(d, part, z) * f[static_cast<std::size_t>(z)];
      sum += (std::conj(rotation(d, part, v)) * folded).real();
    }
    EXPECT_NEAR(sum / static_cast<double>(d.parts), f[static_cast<std::size_t>(v)], 1e-14);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv
