// SPDX-License-Identifier: MIT
#include "fit/camera/noise_tiles.hpp"
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

namespace synthoscope::fit {
namespace {

constexpr int kStride = kTileSide / 2;
constexpr int kHalfSide = kTileSide / 2 + 1;  ///< frequencies of a real row

using TilePixels = Eigen::Matrix<double, kTileSide, kTileSide>;
using TileWaves = Eigen::Matrix<std::complex<double>, kTileSide, kTileSide>;

struct TileTransform {
  Eigen::Matrix<double, kTileSide, 1> window;
  TileWaves waves;
  double window_sum = 0, square_sum = 0;  ///< of the window of two axes, and of its square
};

TileTransform make_tile_transform() {
  TileTransform made;
  for (int i = 0; i < kTileSide; ++i) {
    const double at = (i + 1.0) / (kTileSide + 1);
    made.window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * at);
    for (int k = 0; k < kTileSide; ++k)
      made.waves(k, i) = std::polar(1.0, -2 * std::numbers::pi * ((i * k) % kTileSide) / kTileSide);
  }
  made.window_sum = std::pow(made.window.sum(), 2);
  made.square_sum = std::pow(made.window.squaredNorm(), 2);
  return made;
}

const TileTransform& tile_transform() {
  static const TileTransform made = make_tile_transform();
  return made;
}

/// The ring of a frequency; none for waves along an axis, with what the window spreads of them.
std::optional<int> ring_of(int ky, int kx) {
  const int fy = std::min(ky, kTileSide - ky), fx = std::min(kx, kTileSide - kx);
  if (fy <= 1 || fx <= 1) return std::nullopt;
  return static_cast<int>(std::hypot(fy, fx));
}

/// The mean under the square of the window.
double windowed_mean(const TilePixels& pixels) {
  const TileTransform& transform = tile_transform();
  const auto square = transform.window.cwiseAbs2();
  return square.dot(pixels * square) / transform.square_sum;
}

RingPower ring_power(const TilePixels& pixels) {
  const TileTransform& transform = tile_transform();
  const double mean = transform.window.dot(pixels * transform.window) / transform.window_sum;
  const TilePixels shown = transform.window.asDiagonal() * (pixels.array() - mean).matrix() *
                           transform.window.asDiagonal();
  const Eigen::Matrix<std::complex<double>, kTileSide, kTileSide> along_y =
      transform.waves * shown.cast<std::complex<double>>();
  // Columns of half the frequencies: the other half is their mirror image
  const Eigen::Matrix<std::complex<double>, kTileSide, kHalfSide> both =
      along_y * transform.waves.transpose().leftCols<kHalfSide>();
  RingPower power{};
  for (int kx = 0; kx < kHalfSide; ++kx) {
    const double copies = kx == 0 || kx == kTileSide / 2 ? 1 : 2;
    for (int ky = 0; ky < kTileSide; ++ky)
      if (const auto ring = ring_of(ky, kx))
        power[static_cast<std::size_t>(*ring)] += copies * std::norm(both(ky, kx));
  }
  for (std::size_t ring = 0; ring < power.size(); ++ring)
    power[ring] /= transform.square_sum * std::max(frequencies_of_rings()[ring], 1);
  return power;
}

NoiseTile tile_of(const TilePixels& pixels) {
  NoiseTile tile;
  tile.mean = windowed_mean(pixels);
  tile.variance = windowed_mean((pixels.array() - tile.mean).square().matrix());
  tile.power = ring_power(pixels);
  return tile;
}

/// The first pixels of tiles along an axis.
std::int64_t tiles_along(std::int64_t size) {
  return size < kTileSide ? 0 : (size - kTileSide) / kStride + 1;
}

std::vector<std::int64_t> spread_planes(std::int64_t available, std::int64_t wanted) {
  const std::int64_t count = std::min(available, wanted);
  std::vector<std::int64_t> planes;
  for (std::int64_t i = 0; i < count; ++i)
    planes.push_back(count == 1 ? available / 2 : i * (available - 1) / (count - 1));
  return planes;
}

TilePixels pixels_of(HostView3<const float> counts, std::int64_t z, std::int64_t y,
                     std::int64_t x) {
  TilePixels pixels;
  for (int row = 0; row < kTileSide; ++row) {
    const float* const values = counts.row(z, y + row) + x;
    for (int column = 0; column < kTileSide; ++column)
      pixels(row, column) = static_cast<double>(values[column]);
  }
  return pixels;
}

bool is_inside(const TilePixels& pixels, const TileLimits& limits) {
  return pixels.minCoeff() > limits.low && pixels.maxCoeff() < limits.high;
}

/// Tiles at the same places of the asked planes; `measure` returns nothing for those left out.
template <class Measure>
std::vector<NoiseTile> tiles_of_planes(const Extent3& extent,
                                       const std::vector<std::int64_t>& planes,
                                       const RunContext& context, Measure&& measure) {
  const std::int64_t down = tiles_along(extent.y), across = tiles_along(extent.x);
  const auto rows = static_cast<std::int64_t>(planes.size()) * down;
  std::vector<std::vector<NoiseTile>> of_rows(static_cast<std::size_t>(rows));
  context.pool.for_each(rows, [&](std::int64_t row) {
    const std::int64_t z = planes[static_cast<std::size_t>(row / down)];
    for (std::int64_t column = 0; column < across; ++column)
      if (auto tile = measure(z, row % down * kStride, column * kStride))
        of_rows[static_cast<std::size_t>(row)].push_back(*tile);
  });
  std::vector<NoiseTile> all;
  for (const auto& row : of_rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

std::array<int, kTileRings> count_frequencies() {
  std::array<int, kTileRings> counts{};
  for (int ky = 0; ky < kTileSide; ++ky)
    for (int kx = 0; kx < kTileSide; ++kx)
      if (const auto ring = ring_of(ky, kx)) ++counts[static_cast<std::size_t>(*ring)];
  return counts;
}

}  // namespace

const std::array<int, kTileRings>& frequencies_of_rings() {
  static const std::array<int, kTileRings> counts = count_frequencies();
  return counts;
}

int frequencies_from(int first) {
  int sum = 0;
  for (int ring = first; ring < kTileRings; ++ring)
    sum += frequencies_of_rings()[static_cast<std::size_t>(ring)];
  return sum;
}

double power_from(const NoiseTile& tile, int first) {
  double sum = 0;
  for (auto ring = static_cast<std::size_t>(first); ring < tile.power.size(); ++ring)
    sum += tile.power[ring] * frequencies_of_rings()[ring];
  return sum / frequencies_from(first);
}

std::vector<NoiseTile> noise_tiles(HostView3<const float> counts, const TileLimits& limits,
                                   std::int64_t planes, const RunContext& context) {
  const Extent3 extent = counts.extent();
  return tiles_of_planes(
      extent, spread_planes(extent.z, planes), context,
      [&](std::int64_t z, std::int64_t y, std::int64_t x) -> std::optional<NoiseTile> {
        const TilePixels pixels = pixels_of(counts, z, y, x);
        if (!is_inside(pixels, limits)) return std::nullopt;
        return tile_of(pixels);
      });
}

std::vector<NoiseTile> difference_tiles(HostView3<const float> counts, const TileLimits& limits,
                                        std::int64_t planes, const RunContext& context) {
  const Extent3 extent = counts.extent();
  if (extent.z < 2) return {};
  return tiles_of_planes(
      extent, spread_planes(extent.z - 1, planes), context,
      [&](std::int64_t z, std::int64_t y, std::int64_t x) -> std::optional<NoiseTile> {
        const TilePixels first = pixels_of(counts, z, y, x),
                         second = pixels_of(counts, z + 1, y, x);
        if (!is_inside(first, limits) || !is_inside(second, limits)) return std::nullopt;
        // Two equal variances add up in a difference
        NoiseTile tile = tile_of((first - second) / std::numbers::sqrt2);
        tile.mean = windowed_mean(first + second) / 2;
        return tile;
      });
}

}  // namespace synthoscope::fit
