// SPDX-License-Identifier: MIT
#include "fit/camera/noise_blocks.hpp"
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

namespace synthoscope::fit {
namespace {

using BlockVoxels = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using BlockWaves =
    Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::VectorXd hann_window(int size) {
  Eigen::VectorXd window{size};
  for (int i = 0; i < size; ++i)
    window[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (i + 1.0) / (size + 1));
  return window;
}

/// Row k has the conjugate wave k of `size` samples.
BlockWaves waves_of(int size) {
  BlockWaves waves{size, size};
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < size; ++i)
      waves(k, i) = std::polar(1.0, -2 * std::numbers::pi * ((i * k) % size) / size);
  return waves;
}

/// Measures blocks of one size. A block is a matrix with a row of side x side voxels for a plane.
class BlockMeter {
 public:
  explicit BlockMeter(const FreeWaves& free)
      : free_{free}, side_waves_{waves_of(kTileSide)}, along_z_{waves_of(free.planes)} {
    const Eigen::VectorXd z = hann_window(free.planes), side = hann_window(kTileSide);
    window_.resize(free.planes, kTileSide * kTileSide);
    for (int plane = 0; plane < free.planes; ++plane)
      for (int y = 0; y < kTileSide; ++y)
        window_.row(plane).segment(y * kTileSide, kTileSide) = z[plane] * side[y] * side;
    square_sum_ = window_.squaredNorm();
    for (const auto& wave : free.waves) last_z_ = std::max(last_z_, wave[0]);
    first_z_ = free.waves.front()[0];  // waves are ordered along z
  }

  [[nodiscard]] NoisePoint measure(const BlockVoxels& voxels) const {
    NoisePoint point;
    point.mean = (voxels.array() * window_.array().square()).sum() / square_sum_;
    const double mean = (voxels.array() * window_.array()).sum() / window_.sum();
    const BlockVoxels shown = (voxels.array() - mean) * window_.array();
    const BlockWaves planes =
        along_z_.middleRows(first_z_, last_z_ - first_z_ + 1) * shown.cast<std::complex<double>>();
    double sum = 0, count = 0;
    std::size_t at = 0;
    for (int z = first_z_; z <= last_z_; ++z) {
      const Eigen::Map<const BlockWaves> plane{planes.row(z - first_z_).data(), kTileSide,
                                               kTileSide};
      const BlockWaves power = side_waves_ * plane * side_waves_.transpose();
      const double copies = 2 * z == free_.planes ? 1 : 2;
      for (; at < free_.waves.size() && free_.waves[at][0] == z; ++at) {
        sum += copies * std::norm(power(free_.waves[at][1], free_.waves[at][2]));
        count += copies;
      }
    }
    point.variance = sum / count / square_sum_;
    return point;
  }

 private:
  const FreeWaves& free_;
  BlockWaves side_waves_, along_z_;
  BlockVoxels window_;
  double square_sum_ = 0;
  int first_z_ = 0, last_z_ = 0;
};

/// The voxels of a block, unless one is clipped.
std::optional<BlockVoxels> block_at(HostView3<const float> counts, const TileLimits& limits,
                                    int planes, std::int64_t z, std::int64_t y, std::int64_t x) {
  BlockVoxels voxels{planes, kTileSide * kTileSide};
  for (int plane = 0; plane < planes; ++plane)
    for (int row = 0; row < kTileSide; ++row) {
      const float* const values = counts.row(z + plane, y + row) + x;
      for (int column = 0; column < kTileSide; ++column)
        voxels(plane, row * kTileSide + column) = static_cast<double>(values[column]);
    }
  if (voxels.minCoeff() <= limits.low || voxels.maxCoeff() >= limits.high) return std::nullopt;
  return voxels;
}

/// The first voxels of half overlapping blocks along an axis.
std::vector<std::int64_t> starts_along(std::int64_t size, std::int64_t block) {
  std::vector<std::int64_t> starts;
  for (std::int64_t at = 0; at + block <= size; at += block / 2) starts.push_back(at);
  return starts;
}

}  // namespace

int planes_of_blocks(std::int64_t planes) {
  if (planes >= 16) return 16;
  return planes >= 8 ? 8 : 0;
}

std::vector<NoisePoint> noise_blocks(HostView3<const float> counts, const TileLimits& limits,
                                     const FreeWaves& free, std::int64_t most,
                                     const RunContext& context) {
  const auto zs = starts_along(counts.extent().z, free.planes),
             ys = starts_along(counts.extent().y, kTileSide),
             xs = starts_along(counts.extent().x, kTileSide);
  const auto rows = static_cast<std::int64_t>(zs.size() * ys.size());
  const std::int64_t blocks = rows * static_cast<std::int64_t>(xs.size());
  // Every n-th block, with a step that shares no factor with the blocks of a row
  std::int64_t step =
      std::max<std::int64_t>((blocks + most - 1) / std::max<std::int64_t>(most, 1), 1);
  const BlockMeter meter{free};
  std::vector<std::vector<NoisePoint>> of_rows(static_cast<std::size_t>(rows));
  context.pool.for_each(rows, [&](std::int64_t row) {
    const std::int64_t z = zs[static_cast<std::size_t>(row) / ys.size()],
                       y = ys[static_cast<std::size_t>(row) % ys.size()];
    for (std::size_t column = 0; column < xs.size(); ++column) {
      if ((row + static_cast<std::int64_t>(column)) % step != 0) continue;
      if (const auto voxels = block_at(counts, limits, free.planes, z, y, xs[column]))
        of_rows[static_cast<std::size_t>(row)].push_back(meter.measure(*voxels));
    }
  });
  std::vector<NoisePoint> all;
  for (const auto& row : of_rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

double scatter_of_blocks(const FreeWaves& free) {
  // One independent pair of waves in 2 (35/18)^3 for a Hann window along three axes
  const double independent = 2 * std::pow(35.0 / 18, 3);
  return std::sqrt(independent / (free.share * free.planes * kTileSide * kTileSide));
}

}  // namespace synthoscope::fit
