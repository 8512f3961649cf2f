// SPDX-License-Identifier: MIT
#include "deconvolution/seen_share.hpp"
#include <algorithm>
#include <numeric>
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Positions of an axis of the estimate from which the whole kernel reaches the field.
struct Inner {
  std::int64_t begin, end;
  Inner(Edge edge, std::int64_t field, std::int64_t kernel)
      : begin{edge == Edge::wrap ? 0 : kernel - 1}, end{field} {}
  [[nodiscard]] bool holds(std::int64_t at) const { return at >= begin && at < end; }
};

}  // namespace

SeenShare::SeenShare(const Geometry& geometry, const fftconv::Kernel& kernel,
                     const RunContext& context)
    : geometry_{geometry},
      sums_{std::make_unique<fftconv::BoxSums>(kernel, adjoint_problem(geometry),
                                               fftconv::WorkAxes{}, context)} {
  // The largest share is that of a voxel in the middle: the kernel may be larger than the field
  const Extent3 e = estimate_extent(geometry);
  total_ = sums_->at(e.z / 2, e.y / 2, e.x / 2);
}

SeenShare::~SeenShare() = default;

void SeenShare::fill_row(std::int64_t z, std::int64_t y, std::int64_t x,
                         std::span<float> shares) const {
  const Extent3 &f = geometry_.field, &k = geometry_.kernel;
  const Edge edge = geometry_.edge;
  const auto count = static_cast<std::int64_t>(shares.size());
  const Inner along_x{edge, f.x, k.x};
  // Where the whole kernel reaches the field; empty at the end of the row if it does nowhere
  std::int64_t begin = count, end = count;
  if (Inner{edge, f.z, k.z}.holds(z) && Inner{edge, f.y, k.y}.holds(y)) {
    begin = std::clamp<std::int64_t>(along_x.begin - x, 0, count);
    end = std::clamp(along_x.end - x, begin, count);
  }
  const auto at = [&](std::int64_t i) { return shares.begin() + static_cast<std::ptrdiff_t>(i); };
  std::fill(at(begin), at(end), static_cast<float>(total_));
  fill_by_sums(z, y, x, shares.first(static_cast<std::size_t>(begin)));
  fill_by_sums(z, y, x + end, shares.subspan(static_cast<std::size_t>(end)));
}

void SeenShare::fill_by_sums(std::int64_t z, std::int64_t y, std::int64_t x,
                             std::span<float> shares) const {
  if (shares.empty()) return;
  std::vector<double> sums(shares.size());
  sums_->fill_row(z, y, x, sums);
  std::transform(sums.begin(), sums.end(), shares.begin(), [&](double share) {
    return share > kLeast * total_ ? static_cast<float>(share) : 0;
  });
}

std::int64_t SeenShare::bytes(const Geometry& geometry) {
  return fftconv::box_sum_entries(adjoint_problem(geometry)) * std::int64_t{sizeof(double)};
}

double SeenShare::sum(const RunContext& context) const {
  const Extent3 e = estimate_extent(geometry_);
  std::vector<double> of_planes(static_cast<std::size_t>(e.z));
  context.pool.for_each(e.z, [&](std::int64_t z) {
    std::vector<float> shares(static_cast<std::size_t>(e.x));
    double sum = 0;
    for (std::int64_t y = 0; y < e.y; ++y) {
      fill_row(z, y, 0, shares);
      sum = std::accumulate(shares.begin(), shares.end(), sum);
    }
    of_planes[static_cast<std::size_t>(z)] = sum;
  });
  return std::accumulate(of_planes.begin(), of_planes.end(), 0.0);
}

}  // namespace synthoscope::deconvolution
