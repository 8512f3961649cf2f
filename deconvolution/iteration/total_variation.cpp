// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/total_variation.hpp"
#include <algorithm>
#include <cmath>
#include "core/volume/boundary.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr float kAbsent = -1;

/// The step from a voxel to its neighbour; 0 if one of them is absent.
float step(float from, float to) {
  return std::min(from, to) < 0 ? 0 : to - from;
}

/// Adds the part of one difference to the slope and the bend of one of its two voxels.
struct VoxelSums {
  float slope = 0, bend = 0;
  /// @param share  1 / (n pitch^2) of the difference
  void add(float voxel, float neighbour, float share) {
    const float counted = neighbour < 0 ? 0 : share;
    slope += counted * (neighbour - voxel);
    bend += 2 * counted;
  }
};

/// A row of voxels, those of the rows around it, and 1 / n.
struct Neighbours {
  const float *here, *next_y, *last_y, *next_z, *last_z;
  const float *of_here, *of_last_y, *of_last_z;
};

/// @param inverse_square  1 / pitch^2 along z, y, x
void add_up(const Neighbours& around, const std::array<float, 3>& inverse_square, float weight,
            std::size_t count, float* __restrict slopes, float* __restrict bends) {
  const auto [here, next_y, last_y, next_z, last_z, of_here, of_last_y, of_last_z] = around;
  const auto [along_z, along_y, along_x] = inverse_square;
  for (std::size_t i = 0; i < count; ++i) {
    VoxelSums sums;
    sums.add(here[i], here[i + 1], along_x * of_here[i]);
    sums.add(here[i], *(here + i - 1), along_x * *(of_here + i - 1));
    sums.add(here[i], next_y[i], along_y * of_here[i]);
    sums.add(here[i], last_y[i], along_y * of_last_y[i]);
    sums.add(here[i], next_z[i], along_z * of_here[i]);
    sums.add(here[i], last_z[i], along_z * of_last_z[i]);
    slopes[i] = weight * sums.slope;
    bends[i] = weight * sums.bend;
  }
}

}  // namespace

TotalVariation::TotalVariation(const VariationSpec& spec, Source& estimate, const SeenShare& share,
                               Edge edge, double typical)
    : estimate_{estimate},
      share_{share},
      edge_{edge},
      weight_{static_cast<float>(spec.weight * share.whole())},
      flat_squared_{static_cast<float>(kFlat * typical * kFlat * typical)} {
  const auto inverse = [&](std::int64_t voxels, double pitch) {
    const double relative = pitch / spec.pitch[2];
    return voxels > 1 ? static_cast<float>(1 / (relative * relative)) : 0;
  };
  const Extent3 e = estimate.extent();
  inverse_square_ = {inverse(e.z, spec.pitch[0]), inverse(e.y, spec.pitch[1]),
                     inverse(e.x, spec.pitch[2])};
}

void TotalVariation::Rows::fill(std::int64_t z, std::int64_t y, std::int64_t x,
                                std::span<float> slopes, std::span<float> bends) {
  const std::size_t count = slopes.size();
  const auto& here = row(z, y, x, count);
  const auto &next_y = row(z, y + 1, x, count), &next_z = row(z + 1, y, x, count);
  const auto &last_y = row(z, y - 1, x, count), &last_z = row(z - 1, y, x, count);
  const bool follows = of_here_ == Index3{z, y - 1, x} && here_.size() == count + 1;
  if (follows)
    std::swap(here_, before_y_);
  else
    find_lengths(last_y, here, row(z + 1, y - 1, x, count), before_y_);
  find_lengths(here, next_y, next_z, here_);
  find_lengths(last_z, row(z - 1, y + 1, x, count), here, before_z_);
  of_here_ = {z, y, x};
  const Edges& h = variation_.inverse_square_;
  const Neighbours around{here.data() + 1,      next_y.data() + 1,   last_y.data() + 1,
                          next_z.data() + 1,    last_z.data() + 1,   here_.data() + 1,
                          before_y_.data() + 1, before_z_.data() + 1};
  add_up(around, {h.z, h.y, h.x}, variation_.weight_, count, slopes.data(), bends.data());
}

/// Fills 1 / n for the voxels of a row but its last one.
void TotalVariation::Rows::find_lengths(const std::vector<float>& here,
                                        const std::vector<float>& along_y,
                                        const std::vector<float>& along_z,
                                        std::vector<float>& inverse) const {
  const Edges h = variation_.inverse_square_;
  const float flat_squared = variation_.flat_squared_;
  const std::size_t count = here.size() - 1;
  inverse.resize(count);
  const float *const u = here.data(), *const next_y = along_y.data(),
                     *const next_z = along_z.data();
  float* const to = inverse.data();
  for (std::size_t i = 0; i < count; ++i) {
    const float x = step(u[i], u[i + 1]), y = step(u[i], next_y[i]), z = step(u[i], next_z[i]);
    to[i] = 1 / std::sqrt(h.x * x * x + h.y * y * y + h.z * z * z + flat_squared);
  }
}

const std::vector<float>& TotalVariation::Rows::row(std::int64_t z, std::int64_t y, std::int64_t x,
                                                    std::size_t count) {
  Row& kept = rows_[static_cast<std::size_t>((z + 3) % 3 * 3 + (y + 3) % 3)];
  const bool is_same = kept.z == z && kept.y == y && kept.x == x;
  if (is_same && kept.voxels.size() == count + 2) return kept.voxels;
  kept = {z, y, x, std::move(kept.voxels)};
  kept.voxels.resize(count + 2);
  read(kept);
  return kept.voxels;
}

void TotalVariation::Rows::read(Row& row) const {
  const Extent3 e = variation_.estimate_.extent();
  const bool wraps = variation_.edge_ == Edge::wrap;
  const Boundary boundary = wraps ? Boundary::wrap : Boundary::zero;
  const std::int64_t z = mapped_index(boundary, row.z, e.z), y = mapped_index(boundary, row.y, e.y);
  std::fill(row.voxels.begin(), row.voxels.end(), kAbsent);
  if (z < 0 || y < 0) return;
  const auto fill = [&](std::int64_t begin, std::int64_t count) {
    const std::int64_t from = mapped_index(boundary, begin, e.x);
    const std::span<float> part{row.voxels.data() + (begin - (row.x - 1)),
                                static_cast<std::size_t>(count)};
    std::vector<float> shares(part.size());
    variation_.estimate_.read({{z, y, from}, {1, 1, count}},
                              HostView3<float>{part.data(), {1, 1, count}});
    variation_.share_.fill_row(z, y, from, shares);
    for (std::size_t i = 0; i < part.size(); ++i)
      if (shares[i] == 0) part[i] = kAbsent;
  };
  const auto end = row.x - 1 + static_cast<std::int64_t>(row.voxels.size());
  const std::int64_t first = std::max<std::int64_t>(row.x - 1, 0), last = std::min(end, e.x);
  fill(first, last - first);
  if (!wraps) return;
  if (row.x - 1 < 0) fill(-1, 1);
  if (end > e.x) fill(e.x, 1);
}

}  // namespace synthoscope::deconvolution
