// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture/texture.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace synthoscope::simulator {
namespace {

TEST(Texture, DoesNotDependOnWhereItWasAskedBefore) {
  Texture wandering{42, 3.7, 4};
  for (int i = 0; i < 200; ++i) {
    const Vector3 p{0.17 * i - 11, std::fmod(1.3 * i, 7.0) - 3, 0.01 * i};
    Texture fresh{42, 3.7, 4};
    EXPECT_EQ(wandering(p), fresh(p));
  }
}

TEST(Texture, HasMeanZeroStaysWithinOneAndVaries) {
  Texture texture{1, 2.0, 4};
  double sum = 0, squares = 0;
  constexpr int kSide = 40;
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double t = texture({z * 0.731, y * 0.731, x * 0.731});
        ASSERT_LT(std::abs(t), 1);
        sum += t;
        squares += t * t;
      }
  const double n = kSide * kSide * kSide;
  EXPECT_NEAR(sum / n, 0, 0.02);
  // Variance 1 before the squeeze s / sqrt(1 + s^2): about 0.34 for a normal s
  EXPECT_NEAR(squares / n, 0.34, 0.03);
}

TEST(Texture, IsSmoothBelowItsShortestOctave) {
  Texture texture{1, 4.0, 2};
  const Vector3 p{0.3, 0.4, 0.5}, q{0.3, 0.4, 0.5001};
  EXPECT_NEAR(texture(p), texture(q), 1e-3);
  EXPECT_NE(texture(p), texture({0.3, 0.4, 1.5}));
}

TEST(Texture, DiffersFromSeedToSeed) {
  Texture a{1, 4.0, 3}, b{2, 4.0, 3};
  EXPECT_NE(a({0.1, 0.2, 0.3}), b({0.1, 0.2, 0.3}));
}

/// Power of `values`, n^3 of them, by the distance of its wave number from 0.
std::vector<double> power_spectrum(std::vector<std::complex<double>> values, std::size_t n) {
  // A plain transform of every line along each axis
  std::vector<std::complex<double>> turns(n), line(n), waves(n);
  for (std::size_t i = 0; i < n; ++i)
    turns[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / double(n));
  for (const std::size_t step : {n * n, n, std::size_t{1}})
    for (std::size_t i = 0; i < n * n * n; ++i) {
      if (i / step % n != 0) continue;
      for (std::size_t j = 0; j < n; ++j) line[j] = values[i + j * step];
      for (std::size_t k = 0; k < n; ++k) {
        waves[k] = 0;
        for (std::size_t j = 0, turn = 0; j < n; ++j, turn = turn + k < n ? turn + k : turn + k - n)
          waves[k] += line[j] * turns[turn];
      }
      for (std::size_t k = 0; k < n; ++k) values[i + k * step] = waves[k];
    }
  std::vector<double> power(n / 2, 0), count(n / 2, 0);
  const auto signed_wave = [n](std::size_t k) {
    return static_cast<double>(k) - (k > n / 2 ? static_cast<double>(n) : 0);
  };
  for (std::size_t i = 0; i < n * n * n; ++i) {
    const double z = signed_wave(i / (n * n)), y = signed_wave(i / n % n), x = signed_wave(i % n);
    const auto bin = static_cast<std::size_t>(std::lround(std::sqrt(z * z + y * y + x * x)));
    if (bin >= power.size()) continue;
    power[bin] += std::norm(values[i]);
    count[bin] += 1;
  }
  for (std::size_t bin = 0; bin < power.size(); ++bin) power[bin] /= count[bin];
  return power;
}

/// Exponent of the spectrum of the field before it is mapped, between its longest and its shortest
/// wave, over several seeds.
double field_slope(double wavelength_um, int octaves) {
  // A point for each lattice cell of the last octave: fewer would see its waves as longer ones
  const std::size_t side = std::size_t{3} << octaves;
  const double length_um = 2.6 * wavelength_um;
  std::vector<double> power(side / 2, 0);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Texture texture{seed, wavelength_um, octaves};
    std::vector<std::complex<double>> values;
    const auto place = [&](std::size_t i) {
      return (double(i) + 0.5) * length_um / static_cast<double>(side);
    };
    const auto window = [&](std::size_t i) {  // Hann's: the box is not periodic
      const double s = std::sin(std::numbers::pi * (double(i) + 0.5) / static_cast<double>(side));
      return s * s;
    };
    for (std::size_t z = 0; z < side; ++z)
      for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x)
          values.emplace_back(texture.field({place(z), place(y), place(x)}) * window(z) *
                              window(y) * window(x));
    const auto one = power_spectrum(std::move(values), side);
    for (std::size_t bin = 0; bin < power.size(); ++bin) power[bin] += one[bin];
  }
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t bin = 2; bin < power.size(); ++bin) {
    const double wave_um = length_um / double(bin);
    if (wave_um > wavelength_um || wave_um < wavelength_um / std::pow(2, octaves - 1)) continue;
    const double x = std::log(double(bin)), y = std::log(power[bin]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(Texture, HasTheSpectrumOfChromatinBeforeItIsMapped) {
  for (const int octaves : {4, 5}) EXPECT_NEAR(field_slope(3.7, octaves), -3, 0.3) << octaves;
}

TEST(Perlin, DoesNotDependOnWhereItWasAskedBefore) {
  Perlin wandering{42, 3.7, 6};
  for (int i = 0; i < 200; ++i) {
    const Vector3 p{0.17 * i - 11, std::fmod(1.3 * i, 7.0) - 3, 0.01 * i};
    Perlin fresh{42, 3.7, 6};
    EXPECT_EQ(wandering(p), fresh(p));
  }
}

TEST(Perlin, HasMeanZeroVarianceOneBeforeTheSqueezeAndStaysWithinOne) {
  Perlin perlin{1, 2.0, 6};
  double sum = 0, squares = 0;
  constexpr int kSide = 60;
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double t = perlin({z * 0.731, y * 0.731, x * 0.731});
        ASSERT_LT(std::abs(t), 1);
        const double s = t / std::sqrt(1 - t * t);
        sum += s;
        squares += s * s;
      }
  const double n = kSide * kSide * kSide;
  EXPECT_NEAR(sum / n, 0, 0.02);
  EXPECT_NEAR(squares / n, 1, 0.02);
}

/// Over many seeds, before the squeeze into (-1, 1).
template <class Noise>
double variance_at(const Vector3& p) {
  constexpr int kSeeds = 4000;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const double t = Noise{seed, 2.0, 3}(p);
    squares += t * t / (1 - t * t);
  }
  return squares / kSeeds;
}

TEST(Noise, VariesAsMuchAtTheCentreOfItsCellAsAnywhere) {
  // At the corners of its lattice Perlin noise vanishes, and chromatin varies 2.4 times as much:
  // so would the centre of every cell if it were such a corner
  for (const Vector3& p : {Vector3{0, 0, 0}, {1, 1, 1}, {0, -3, 2}, {0.31, 5.7, -2.9}}) {
    EXPECT_NEAR(variance_at<Texture>(p), 1, 0.1) << p[0] << ' ' << p[1] << ' ' << p[2];
    EXPECT_NEAR(variance_at<Perlin>(p), 1, 0.1) << p[0] << ' ' << p[1] << ' ' << p[2];
  }
}

}  // namespace
}  // namespace synthoscope::simulator
