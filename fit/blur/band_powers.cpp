// SPDX-License-Identifier: MIT
#include "fit/blur/band_powers.hpp"
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace synthoscope::fit {
namespace {

using Wave = std::complex<double>;

constexpr std::int64_t kBandTileSide = 64;
constexpr double kNoiseFrom = 0.5;     ///< cycles a pixel, from which on there is noise alone
constexpr double kLeastSignal = 0.05;  ///< of the noise: power that is left after it is subtracted
constexpr std::int64_t kFewestAxial = 8;  ///< planes that an axial spectrum needs

std::vector<double> hann_weights(std::int64_t length) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < length; ++i)
    weights.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                           static_cast<double>(length)));
  return weights;
}

double mean_square(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight * weight;
  return sum / static_cast<double>(weights.size());
}

double frequency_of(std::int64_t k, std::int64_t side) {
  return static_cast<double>(std::min(k, side - k)) / static_cast<double>(side);
}

/// The band of a frequency; as many as there are bands if it is in none.
template <std::size_t N>
std::size_t band_of(const std::array<double, N>& borders, double frequency) {
  for (std::size_t i = 0; i + 1 < N; ++i)
    if (frequency >= borders[i] && frequency < borders[i + 1]) return i;
  return N - 1;
}

/// Computes the powers of one tile after another of the same size.
class TileSpectra {
 public:
  TileSpectra(std::int64_t planes, std::int64_t side)
      : planes_{planes},
        side_{side},
        window_{hann_weights(side)},
        axial_window_{hann_weights(planes)},
        scale_{1 / (std::pow(static_cast<double>(side), 2) * std::pow(mean_square(window_), 2))} {
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x) {
        const double radial = std::hypot(frequency_of(y, side), frequency_of(x, side));
        radial_.push_back(radial);
        if (radial >= kAxialLateral[0] && radial < kAxialLateral[1])
          columns_.push_back(y * side + x);
      }
  }

  BandPowers powers(const LabelledImage& image, std::int64_t y0, std::int64_t x0) {
    BandPowers sums;
    const bool is_stack = planes_ >= kFewestAxial;
    std::vector<std::vector<Wave>> lines(is_stack ? columns_.size() : 0);
    double noise_squares = 0;
    for (std::int64_t z = 0; z < planes_; ++z) {
      const std::vector<Wave> plane = transform(image, z, y0, x0);
      const BandPowers one = lateral_powers(plane);
      sums += one;
      const double weight = axial_window_[static_cast<std::size_t>(z)];
      noise_squares += one.noise * weight * weight;
      for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].push_back(weight * plane[static_cast<std::size_t>(columns_[i])]);
    }
    if (is_stack) add_axial(lines, noise_squares, sums);
    return sums;
  }

 private:
  std::vector<Wave> transform(const LabelledImage& image, std::int64_t z, std::int64_t y0,
                              std::int64_t x0) {
    const auto counts = image.counts.view();
    double mean = 0;
    for (std::int64_t y = 0; y < side_; ++y)
      for (std::int64_t x = 0; x < side_; ++x)
        mean += static_cast<double>(counts(z, y0 + y, x0 + x));
    mean /= static_cast<double>(side_ * side_);
    const auto side = static_cast<std::size_t>(side_);
    std::vector<Wave> waves(side * side), line(side), out;
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t x = 0; x < side; ++x)
        line[x] = window_[y] * window_[x] *
                  (static_cast<double>(counts(z, y0 + static_cast<std::int64_t>(y),
                                              x0 + static_cast<std::int64_t>(x))) -
                   mean);
      fourier_.fwd(out, line);
      std::copy(out.begin(), out.end(), waves.begin() + static_cast<std::ptrdiff_t>(y * side));
    }
    for (std::size_t x = 0; x < side; ++x) {
      for (std::size_t y = 0; y < side; ++y) line[y] = waves[y * side + x];
      fourier_.fwd(out, line);
      for (std::size_t y = 0; y < side; ++y) waves[y * side + x] = out[y];
    }
    return waves;
  }

  BandPowers lateral_powers(const std::vector<Wave>& plane) const {
    BandPowers sums;
    std::array<double, kLateralBandCount> count{};
    double corners = 0;
    for (std::size_t i = 0; i < plane.size(); ++i) {
      const double power = scale_ * std::norm(plane[i]);
      const std::size_t band = band_of(kLateralBands, radial_[i]);
      if (band < kLateralBandCount) {
        sums.lateral[band] += power;
        count[band] += 1;
      } else if (radial_[i] > kNoiseFrom) {
        sums.noise += power;
        corners += 1;
      }
    }
    for (std::size_t i = 0; i < kLateralBandCount; ++i) sums.lateral[i] /= std::max(count[i], 1.0);
    sums.noise /= std::max(corners, 1.0);
    return sums;
  }

  void add_axial(const std::vector<std::vector<Wave>>& lines, double noise_squares,
                 BandPowers& sums) {
    std::array<double, kAxialBandCount> count{};
    std::vector<Wave> out;
    for (const std::vector<Wave>& line : lines) {
      fourier_.fwd(out, line);
      for (std::int64_t k = 0; k < planes_; ++k) {
        const double frequency = frequency_of(k, planes_);
        if (frequency < kAxialBands.front()) continue;
        const std::size_t band = std::min(band_of(kAxialBands, frequency), kAxialBandCount - 1);
        sums.axial[band] += scale_ * std::norm(out[static_cast<std::size_t>(k)]);
        count[band] += 1;
      }
    }
    for (std::size_t i = 0; i < kAxialBandCount; ++i) sums.axial[i] /= std::max(count[i], 1.0);
    sums.axial_noise = noise_squares;
  }

  std::int64_t planes_, side_;
  std::vector<double> window_, axial_window_;
  double scale_;
  std::vector<double> radial_;
  std::vector<std::int64_t> columns_;
  Eigen::FFT<double> fourier_;
};

double log_of_rest(double power, double noise) {
  return std::log(std::max({power - noise, kLeastSignal * noise, 1e-30}));
}

template <std::size_t N, class LogPower>
BandShape line_through(const std::array<double, N>& borders, const std::vector<std::size_t>& bands,
                       LogPower&& log_power) {
  const auto count = static_cast<double>(bands.size());
  std::vector<double> x, y;
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (const std::size_t band : bands) {
    x.push_back(std::log((borders[band] + borders[band + 1]) / 2));
    y.push_back(log_power(band));
    mean_x += x.back() / count;
    mean_y += y.back() / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  BandShape shape;
  shape.tilt = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i)
    shape.rest.push_back(y[i] - mean_y - shape.tilt * (x[i] - mean_x));
  return shape;
}

}  // namespace

BandPowers& BandPowers::operator+=(const BandPowers& other) {
  for (std::size_t i = 0; i < lateral.size(); ++i) lateral[i] += other.lateral[i];
  for (std::size_t i = 0; i < axial.size(); ++i) axial[i] += other.axial[i];
  noise += other.noise;
  axial_noise += other.axial_noise;
  return *this;
}

double BandPowers::log_power(std::size_t band) const {
  return log_of_rest(lateral[band], noise);
}

double BandPowers::log_axial_power(std::size_t band) const {
  return log_of_rest(axial[band], axial_noise);
}

BandShape shape_of_bands(const BandPowers& powers, const std::vector<std::size_t>& bands) {
  return line_through(kLateralBands, bands,
                      [&](std::size_t band) { return powers.log_power(band); });
}

BandShape shape_of_axial_bands(const BandPowers& powers, const std::vector<std::size_t>& bands) {
  return line_through(kAxialBands, bands,
                      [&](std::size_t band) { return powers.log_axial_power(band); });
}

std::vector<BandPowers> band_powers(const LabelledImage& image) {
  const Extent3& e = image.grid.extent;
  std::int64_t side = kBandTileSide;
  while (side > std::min(e.y, e.x) && side > 1) side /= 2;
  TileSpectra spectra{e.z, side};
  const std::int64_t step = std::max<std::int64_t>(side / 2, 1);
  const auto tiles_along = [&](std::int64_t length) { return (length - side) / step + 1; };
  const std::int64_t rows = (tiles_along(e.y) + 1) / 2, columns = (tiles_along(e.x) + 1) / 2;
  std::vector<BandPowers> groups(static_cast<std::size_t>(rows * columns));
  for (std::int64_t y = 0; y < tiles_along(e.y); ++y)
    for (std::int64_t x = 0; x < tiles_along(e.x); ++x)
      groups[static_cast<std::size_t>(y / 2 * columns + x / 2)] +=
          spectra.powers(image, y * step, x * step);
  return groups;
}

}  // namespace synthoscope::fit
