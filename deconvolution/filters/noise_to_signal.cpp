// SPDX-License-Identifier: MIT
#include "deconvolution/filters/noise_to_signal.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kMostBlockVoxels = std::int64_t{1} << 21;
constexpr std::int64_t kMostBlocks = 8;

/// Frequencies of similar |K|^2: 16 classes to a factor of 10.
struct FrequencyClass {
  double count = 0, transfer = 0, power = 0, log_power = 0;
};
constexpr int kClassesPerDecade = 16, kDecades = 14;
using FrequencyClasses = std::array<FrequencyClass, kClassesPerDecade * kDecades>;

std::size_t class_of(double squared_transfer) {
  const double decades = std::log10(std::max(squared_transfer, 1e-300)) + kDecades;
  return static_cast<std::size_t>(
      std::clamp(decades * kClassesPerDecade, 0.0, kClassesPerDecade * kDecades - 1.0));
}

/// Returns the extent of a block: the image, cut along the axis on which it holds the PSF most
/// often until the block is small.
Extent3 block_extent(const Extent3& image, const Extent3& psf) {
  Extent3 block = image;
  const auto fold = [](std::int64_t length, std::int64_t of_psf) {
    return static_cast<double>(length) / static_cast<double>(of_psf);
  };
  while (volume(block) > kMostBlockVoxels) {
    const double z = fold(block.z, psf.z), y = fold(block.y, psf.y), x = fold(block.x, psf.x);
    std::int64_t& longest = z > y && z > x ? block.z : y > x ? block.y : block.x;
    longest = (longest + 1) / 2;
  }
  return {transform_length_up_to(block.z), transform_length_up_to(block.y),
          transform_length_up_to(block.x)};
}

/// Returns blocks that do not overlap, spread over the image.
std::vector<Box3> spread_blocks(const Extent3& image, const Extent3& block) {
  const Extent3 fit{image.z / block.z, image.y / block.y, image.x / block.x};
  const std::int64_t all = volume(fit), count = std::min(all, kMostBlocks);
  // In the middle of its share of an axis
  const auto origin = [](std::int64_t i, std::int64_t fits, std::int64_t length,
                         std::int64_t part) {
    return (2 * i + 1) * length / (2 * fits) - part / 2;
  };
  std::vector<Box3> blocks;
  for (std::int64_t b = 0; b < count; ++b) {
    const std::int64_t i = (2 * b + 1) * all / (2 * count);
    blocks.push_back({{origin(i / (fit.y * fit.x), fit.z, image.z, block.z),
                       origin(i / fit.x % fit.y, fit.y, image.y, block.y),
                       origin(i % fit.x, fit.x, image.x, block.x)},
                      block});
  }
  return blocks;
}

/// Weights of a window that rises from 0 at the faces of a block to 1 in its middle.
std::vector<double> block_window(std::int64_t length) {
  std::vector<double> weights(as_index(length), 1);
  if (length == 1) return weights;
  for (std::int64_t i = 0; i < length; ++i) {
    const double sine =
        std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(length));
    weights[as_index(i)] = sine * sine;
  }
  return weights;
}

/// Reads a block within the window, without its mean. Returns false if it is even.
bool fill_block(Source& image, const Box3& box, FourierVolume& block, const StopFlag& stop) {
  const auto in_z = block_window(box.size.z), in_y = block_window(box.size.y),
             in_x = block_window(box.size.x);
  double sum = 0, of_window = 0, least = 0, most = 0;
  bool is_first = true;
  fftconv::for_each_row(image, box, stop, [&](std::int64_t z, std::int64_t y, const auto* voxels) {
    const double weight = in_z[as_index(z - box.origin.z)] * in_y[as_index(y - box.origin.y)];
    std::complex<double>* const row = block.row(z - box.origin.z, y - box.origin.y);
    for (std::int64_t x = 0; x < box.size.x; ++x) {
      const double value = static_cast<double>(voxels[x]), w = weight * in_x[as_index(x)];
      least = is_first ? value : std::min(least, value);
      most = is_first ? value : std::max(most, value);
      is_first = false;
      sum += w * value;
      of_window += w;
      row[x] = value;
    }
  });
  const double mean = sum / of_window;
  block.for_each([&](std::complex<double>& voxel, std::int64_t z, std::int64_t y, std::int64_t x) {
    voxel = (voxel - mean) * in_z[as_index(z)] * in_y[as_index(y)] * in_x[as_index(x)];
  });
  return std::isfinite(mean) && most > least;
}

/// Returns |K|^2, or adds |F|^2, at all frequencies.
void add_squares(FourierVolume& spectrum, const HostBuffer<float>& to) {
  const Extent3 e = spectrum.extent();
  spectrum.for_each(
      [&](const std::complex<double>& value, std::int64_t z, std::int64_t y, std::int64_t x) {
        float& square = to.data()[(z * e.y + y) * e.x + x];
        square = static_cast<float>(static_cast<double>(square) + std::norm(value));
      });
}

FrequencyClasses sorted_by_transfer(const HostBuffer<float>& transfer,
                                    const HostBuffer<float>& power, double scale) {
  FrequencyClasses classes;
  for (std::int64_t i = 1; i < power.count(); ++i) {  // without frequency 0, the mean
    const double k = static_cast<double>(transfer.data()[i]),
                 p = scale * static_cast<double>(power.data()[i]);
    FrequencyClass& one = classes[class_of(k)];
    one.count += 1;
    one.transfer += k;
    one.power += p;
    one.log_power += std::log(std::max(p, 1e-300));
  }
  return classes;
}

/// ln n - digamma(n): how much the logarithm of a mean exceeds the mean of the logarithm, for the
/// mean of n powers of noise. @source Abramowitz, Stegun (1964), 6.3.2
double log_excess(int n) {
  double digamma = -std::numbers::egamma;
  for (int i = 1; i < n; ++i) digamma += 1.0 / i;
  return std::log(static_cast<double>(n)) - digamma;
}

/// Turns sums into means.
void settle(FrequencyClasses& classes, int blocks) {
  constexpr double kHardlyPassed = 1e-2;  // |K|^2
  for (FrequencyClass& one : classes) {
    if (one.count == 0) continue;
    one.transfer /= one.count;
    one.power = one.transfer < kHardlyPassed
                    ? std::exp(one.log_power / one.count + log_excess(blocks))
                    : one.power / one.count;
  }
}

double cross_validation(const FrequencyClasses& classes, double lambda) {
  double residual = 0, freedom = 0, count = 0;
  for (const FrequencyClass& one : classes) {
    const double missed = 1 - (1 + lambda) * one.transfer / (one.transfer + lambda);
    residual += one.count * missed * missed * one.power;
    freedom += one.count * missed;
    count += one.count;
  }
  return residual / count / ((freedom / count) * (freedom / count));
}

}  // namespace

LambdaChoice choose_lambda(Source& image, const fftconv::Kernel& psf, const Index3& center,
                           const RunContext& context) {
  LambdaChoice choice;
  choice.block = block_extent(image.extent(), psf.voxels->extent());
  const std::int64_t voxels = volume(choice.block);
  const HostBuffer<float> transfer{context.memory, voxels, "transfer of the PSF"},
      power{context.memory, voxels, "power of the image"};
  std::fill_n(transfer.data(), voxels, 0.0F);
  std::fill_n(power.data(), voxels, 0.0F);
  {
    FourierVolume of_psf = transfer_of(psf, center, choice.block, context);
    add_squares(of_psf, transfer);
  }
  FourierVolume block{choice.block, context};
  for (const Box3& box : spread_blocks(image.extent(), choice.block)) {
    if (!fill_block(image, box, block, context.stop)) continue;
    block.forward();
    add_squares(block, power);
    ++choice.blocks;
  }
  if (choice.blocks == 0)
    throw InvalidInput(
        "deconvolve: lambda cannot be chosen, because every part of the image that was looked at "
        "is "
        "even or holds NaN; give lambda");

  FrequencyClasses classes =
      sorted_by_transfer(transfer, power, 1 / static_cast<double>(choice.blocks));
  settle(classes, choice.blocks);
  constexpr int kStepsPerDecade = 40;
  const int steps =
      static_cast<int>(std::lround(std::log10(kMostLambda / kLeastLambda))) * kStepsPerDecade;
  double least = 0;
  for (int i = 0; i <= steps; ++i) {
    const double lambda = kLeastLambda * std::pow(10.0, static_cast<double>(i) / kStepsPerDecade);
    const double value = cross_validation(classes, lambda);
    if (i > 0 && value >= least) continue;
    least = value;
    choice.lambda = lambda;
    choice.is_at_end = i == 0 || i == steps;
  }
  return choice;
}

}  // namespace synthoscope::deconvolution
