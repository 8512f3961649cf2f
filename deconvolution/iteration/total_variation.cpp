// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/total_variation.hpp"
#include <algorithm>
#include <cmath>
#include "core/volume/boundary.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr float kAbsent = -1;

/// The step from a voxel to its neighbour; 0 if one of them is absent.
double step(float from, float to) {
  return from < 0 || to < 0 ? 0 : static_cast<double>(to) - static_cast<double>(from);
}

/// Adds the part of one difference to the slope and the bend of one of its two voxels.
struct VoxelSums {
  double slope = 0, bend = 0;
  /// @param share  1 / (n pitch^2) of the difference
  void add(float voxel, float neighbour, double share) {
    if (neighbour < 0) return;
    slope += share * step(voxel, neighbour);
    bend += 2 * share;
  }
};

}  // namespace

TotalVariation::TotalVariation(const VariationSpec& spec, Source& estimate, const SeenShare& share,
                               Edge edge, double typical)
    : estimate_{estimate},
      share_{share},
      edge_{edge},
      weight_{spec.weight * share.whole()},
      flat_squared_{kFlat * typical * kFlat * typical} {
  const auto inverse = [&](std::int64_t voxels, double pitch) {
    const double relative = pitch / spec.pitch[2];
    return voxels > 1 ? 1 / (relative * relative) : 0;
  };
  const Extent3 e = estimate.extent();
  inverse_square_ = {inverse(e.z, spec.pitch[0]), inverse(e.y, spec.pitch[1]),
                     inverse(e.x, spec.pitch[2])};
}

void TotalVariation::Rows::fill(std::int64_t z, std::int64_t y, std::int64_t x,
                                std::span<double> slopes, std::span<double> bends) {
  const std::size_t count = slopes.size();
  const auto& here = row(z, y, x, count);
  const auto &next_y = row(z, y + 1, x, count), &next_z = row(z + 1, y, x, count);
  const auto &last_y = row(z, y - 1, x, count), &last_z = row(z - 1, y, x, count);
  find_lengths(here, next_y, next_z, here_);
  find_lengths(last_y, here, row(z + 1, y - 1, x, count), before_y_);
  find_lengths(last_z, row(z - 1, y + 1, x, count), here, before_z_);
  const Edges& h = variation_.inverse_square_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i + 1;  // of the row
    VoxelSums sums;
    if (const float u = here[at]; u >= 0) {
      sums.add(u, here[at + 1], h.x * here_[at]);
      sums.add(u, here[at - 1], h.x * here_[at - 1]);
      sums.add(u, next_y[at], h.y * here_[at]);
      sums.add(u, last_y[at], h.y * before_y_[at]);
      sums.add(u, next_z[at], h.z * here_[at]);
      sums.add(u, last_z[at], h.z * before_z_[at]);
    }
    slopes[i] = variation_.weight_ * sums.slope;
    bends[i] = variation_.weight_ * sums.bend;
  }
}

/// Fills 1 / n for the voxels of a row but its last one.
void TotalVariation::Rows::find_lengths(const std::vector<float>& here,
                                        const std::vector<float>& along_y,
                                        const std::vector<float>& along_z,
                                        std::vector<double>& inverse) const {
  const Edges& h = variation_.inverse_square_;
  inverse.resize(here.size() - 1);
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    const double x = step(here[i], here[i + 1]), y = step(here[i], along_y[i]),
                 z = step(here[i], along_z[i]);
    inverse[i] = 1 / std::sqrt(h.x * x * x + h.y * y * y + h.z * z * z + variation_.flat_squared_);
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

double next_light(double light, double ratios, double share, double slope, double bend) {
  const double half = (share - slope - bend * light) / 2, product = light * ratios;
  const double root = std::sqrt(half * half + bend * product);
  if (half > 0) return product / (half + root);
  return bend > 0 ? (root - half) / bend : light;
}

}  // namespace synthoscope::deconvolution
